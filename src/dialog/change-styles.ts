import { styleSheetOf } from './style-sheet.ts'

/** The look of a change. Colours are those of the dialog; the marks are seen without them. */
export const changeStyleSheet: () => CSSStyleSheet = styleSheetOf(`
.change {
  margin-top: 0.875rem;
  padding: 0.5rem 0.75rem 0.75rem;
  border: 1px solid var(--offstage-caution, var(--caution));
  border-inline-start-width: 4px;
  border-radius: 0.5rem;
}
.change h3 { margin: 0; color: inherit; font-size: 0.9375rem; }
.change .quiet { font-size: 0.8125rem; }
.change h4 {
  margin: 0.75rem 0 0.25rem;
  font: 600 0.8125rem / 1.5 var(--offstage-font-mono, ui-monospace, monospace);
  overflow-wrap: anywhere;
}
.sides { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 12rem), 1fr)); }
.side { min-width: 0; padding: 0.375rem 0.75rem 0.5rem; outline: 1px solid var(--offstage-border, var(--border)); }
.side dt { font-family: var(--offstage-font, system-ui, sans-serif); }
.side .foldable, .side .preview { display: inline; }
del, ins { border-radius: 0.2em; background: var(--offstage-mark, var(--mark)); color: var(--offstage-mark-text, var(--mark-text)); }
del { text-decoration: line-through 0.1em; }
ins { font-weight: 700; text-decoration: underline 0.125em; text-underline-offset: 0.15em; }
@media (forced-colors: active) {
  del, ins { outline: 1px solid; }
  del { outline-style: dotted; }
}`)
