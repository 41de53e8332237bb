import { dialogStyleSheet } from './dialog-styles.ts'

// What is not said here is as in the dialog, whose sheet comes first.
const styles = `
:host { display: block; }
:host([hidden]) { display: none; }
section {
  container-type: inline-size;
  background: var(--offstage-surface, var(--surface));
  color: var(--offstage-text, var(--text));
  font: 400 0.9375rem / 1.5 var(--offstage-font, system-ui, sans-serif);
  text-align: start;
}
.top { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: 0.5rem 1rem; }
h2 { color: inherit; font: 600 1.0625rem / 1.4 var(--offstage-font, system-ui, sans-serif); }
p { margin: 0.25rem 0 0; }
.about, .empty { margin-top: 0.5rem; color: var(--offstage-muted, var(--muted)); }
.warning, .failed {
  margin-top: 0.75rem;
  padding: 0.125rem 0 0.125rem 0.75rem;
  border-inline-start: 3px solid var(--offstage-caution, var(--caution));
}
.status:empty { display: none; }
.status { margin-top: 0.75rem; }
.grants { display: grid; gap: 0.75rem; margin-top: 0.75rem; }
.grants:empty { display: none; }
.grant {
  display: grid;
  grid-template-columns: minmax(0, 1fr) auto;
  gap: 0.125rem 1rem;
  align-items: start;
  padding: 0.875rem 1rem;
  border: 1px solid var(--offstage-border, var(--border));
  border-radius: var(--offstage-radius, 0.875rem);
}
.tool { align-self: center; margin-bottom: 0.125rem; max-height: none; grid-column: auto; font-size: 1rem; }
.more { grid-column: 1 / -1; }
.more .fields, .more details { margin-top: 0.375rem; }
.times { margin-top: 0.5rem; color: var(--offstage-muted, var(--muted)); font-size: 0.8125rem; }
button {
  flex: none;
  min-width: 0;
  border-color: var(--offstage-muted, var(--muted));
  background: var(--offstage-surface, var(--surface));
  color: inherit;
  font-size: 0.875rem;
  white-space: nowrap;
}
button:hover { background: var(--offstage-field, var(--field)); }
@container (max-width: 24rem) {
  .field { grid-template-columns: minmax(0, 1fr); }
}`

let sheet: CSSStyleSheet | undefined

/** The style sheets of `<offstage-grants>`, made once: it looks like the dialog and takes the same properties. */
export function grantsStyleSheets(): CSSStyleSheet[] {
  if (sheet === undefined) {
    sheet = new CSSStyleSheet()
    sheet.replaceSync(styles)
  }
  return [dialogStyleSheet(), sheet]
}
