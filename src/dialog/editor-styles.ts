import { styleSheetOf } from './style-sheet.ts'

/** The look of the editor. Colours are those of the dialog. */
export const editorStyleSheet: () => CSSStyleSheet = styleSheetOf(`
.editor-bar { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0.5rem; margin-bottom: 0.75rem; }
.modes { display: flex; flex-wrap: wrap; gap: 0.25rem 1rem; min-width: 0; margin: 0; padding: 0; border: 0; }
.modes label { display: flex; align-items: center; gap: 0.375rem; color: inherit; font-size: 0.875rem; }
.tools { display: flex; flex-wrap: wrap; gap: 0.5rem; }
input[type="radio"], input[type="checkbox"] {
  flex: none;
  width: 1.125rem;
  min-height: 0;
  height: 1.125rem;
  margin: 0;
  accent-color: var(--offstage-accent, var(--accent));
}
.form { display: grid; grid-template-columns: minmax(0, 1fr); gap: 0.875rem; }
.form-field { min-width: 0; padding-inline-start: 0.75rem; border-inline-start: 3px solid transparent; }
.form-field.differs { border-inline-start-color: var(--offstage-accent, var(--accent)); }
.label { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0.125rem 0.625rem; margin-bottom: 0.25rem; }
.label label, .name, .place {
  min-width: 0;
  color: var(--offstage-text, var(--text));
  font: 600 0.8125rem / 1.5 var(--offstage-font-mono, ui-monospace, monospace);
  overflow-wrap: anywhere;
  white-space: break-spaces;
}
.need { color: var(--offstage-muted, var(--muted)); font-size: 0.8125rem; }
.badge {
  padding: 0 0.5rem;
  border: 1px solid var(--offstage-accent, var(--accent));
  border-radius: 1rem;
  color: var(--offstage-accent, var(--accent));
  font-size: 0.75rem;
  font-weight: 600;
}
.label .small { margin-inline-start: auto; }
.help {
  margin: 0 0 0.25rem;
  color: var(--offstage-muted, var(--muted));
  font-size: 0.8125rem;
  overflow-wrap: anywhere;
  white-space: break-spaces;
}
.help:empty, .problems:empty, .letters:empty { display: none; }
textarea { display: block; width: 100%; resize: vertical; }
.code-field { font: 0.8125rem / 1.55 var(--offstage-font-mono, ui-monospace, monospace); }
[aria-invalid="true"] { border: 2px solid var(--offstage-caution, var(--caution)); }
.control > select { width: 100%; }
.items { display: grid; gap: 0.375rem; }
.items:not(:empty) { margin-bottom: 0.375rem; }
.item { display: flex; align-items: center; gap: 0.5rem; }
.item > :first-child { flex: 1; min-width: 0; }
.item > input[type="checkbox"] { flex: none; }
.group {
  display: grid;
  grid-template-columns: minmax(0, 1fr);
  gap: 0.75rem;
  justify-items: start;
  padding: 0.625rem 0.625rem 0.75rem 0.25rem;
  border: 1px solid var(--offstage-border, var(--border));
  border-radius: 0.5rem;
}
.group > .form { width: 100%; }
.problems, .summary ul { margin: 0.25rem 0 0; font-size: 0.875rem; }
.problems li, .summary li { overflow-wrap: anywhere; }
.problems li { padding-inline-start: 0.75rem; border-inline-start: 3px solid var(--offstage-caution, var(--caution)); }
.summary {
  margin-top: 0.875rem;
  padding: 0.5rem 0.75rem 0.625rem;
  border: 1px solid var(--offstage-caution, var(--caution));
  border-radius: 0.5rem;
}
h4 { margin: 0; font: inherit; font-size: 0.8125rem; font-weight: 600; }
.link {
  min-height: 0;
  padding: 0;
  border: 0;
  border-radius: 0.25rem;
  background: none;
  color: var(--offstage-accent, var(--accent));
  font: 600 0.8125rem / 1.75 var(--offstage-font-mono, ui-monospace, monospace);
  overflow-wrap: anywhere;
  text-align: start;
  text-decoration: underline;
}
.letters { margin-top: 0.25rem; font-size: 0.8125rem; overflow-wrap: anywhere; white-space: break-spaces; }
.difference { margin-top: 0.375rem; }
.difference > div { display: grid; grid-template-columns: 5.5rem minmax(0, 1fr); gap: 0 0.75rem; padding: 0.25rem 0.75rem; }
.difference > div + div { border-top: 1px solid var(--offstage-border, var(--border)); }
.difference dt { font-family: var(--offstage-font, system-ui, sans-serif); }
.before dd { color: var(--offstage-muted, var(--muted)); }
.after dd { font-weight: 600; }
.differences { display: grid; gap: 0.875rem; }
@media (max-width: 30rem) {
  .difference > div { grid-template-columns: minmax(0, 1fr); }
  .group { padding-inline-end: 0.375rem; }
}
@media (forced-colors: active) {
  .form-field.differs { border-inline-start-color: Highlight; }
}`)
