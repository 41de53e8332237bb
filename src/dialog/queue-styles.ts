/** The look of the list of all that wait: above the request, or beside it where there is room. */
export const queueStyles = `
.waiting {
  flex: none;
  max-height: 8.5rem;
  overflow: auto;
  overscroll-behavior: contain;
  padding: 0.625rem 1.25rem 0.5rem;
  border-bottom: 1px solid var(--offstage-border, var(--border));
  background: var(--offstage-field, var(--field));
}
.waiting h3 { margin: 0 0 0.25rem; }
.waiting ol { display: grid; gap: 0.25rem; margin: 0; padding: 0; list-style: none; }
.row {
  display: grid;
  gap: 0 0.75rem;
  width: 100%;
  min-height: 2.5rem;
  padding: 0.25rem 0.625rem;
  border-color: transparent;
  background: none;
  color: inherit;
  font-size: 0.8125rem;
  font-weight: 400;
  text-align: start;
}
.row > * { min-width: 0; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.row br { display: none; }
.row .origin { font-size: inherit; }
.row-tool, .row-input { font-family: var(--offstage-font-mono, ui-monospace, monospace); }
.row-tool { font-weight: 600; }
.row-input { color: var(--offstage-muted, var(--muted)); }
.row:hover { border-color: var(--offstage-border, var(--border)); background: var(--offstage-surface, var(--surface)); }
.row[aria-current] {
  border-color: var(--offstage-accent, var(--accent));
  border-inline-start-width: 4px;
  background: var(--offstage-surface, var(--surface));
}
.row[aria-disabled] { cursor: default; }
.row[aria-disabled] > :not(.ended, .unseen) { text-decoration: line-through; }
.ended { font-style: italic; }
@media (max-width: 59.99rem), (max-height: 33.99rem) {
  .row { grid-template-columns: minmax(0, auto) minmax(0, 1fr); }
  .row-input, .ended { grid-column: 1 / -1; }
}
@media (min-width: 60rem) and (min-height: 34rem) {
  dialog:has(> .waiting:not([hidden])) {
    display: grid;
    grid-template: auto minmax(8rem, 1fr) auto auto / 16rem minmax(0, 1fr);
    width: min(calc(var(--offstage-width, 35rem) + 16rem), 100% - 1.5rem);
  }
  dialog:has(> .waiting:not([hidden])) > :not(.waiting) { grid-column: 2; }
  .waiting {
    grid-row: 1 / -1;
    max-height: none;
    border-bottom: 0;
    border-inline-end: 1px solid var(--offstage-border, var(--border));
  }
}
@media (max-width: 30rem), (max-height: 33.99rem) {
  .waiting { max-height: 6rem; padding: 0.375rem 0.75rem; }
}`
