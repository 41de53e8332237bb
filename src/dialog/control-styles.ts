/** The look of the answers and of all that is pressed, chosen and written in the dialog. */
export const controlStyles = `
label { color: var(--offstage-muted, var(--muted)); font-size: 0.8125rem; }
input, button { min-width: 0; min-height: 2.5rem; border-radius: 0.5rem; font: inherit; letter-spacing: inherit; }
input { width: 100%; }
select, textarea { min-width: 0; border-radius: 0.5rem; font: inherit; letter-spacing: inherit; }
select { max-width: 100%; min-height: 2.5rem; }
input, select, textarea {
  padding: 0.375rem 0.75rem;
  border: 1px solid var(--offstage-muted, var(--muted));
  background: var(--offstage-surface, var(--surface));
  color: inherit;
}
.remember { display: flex; flex-wrap: wrap; gap: 0.375rem 0.75rem; margin-top: 0.25rem; }
.labelled { flex: 1 1 12rem; display: grid; gap: 0.25rem; min-width: 0; }
.warning, .blocked { margin: 0; font-size: 0.875rem; overflow-wrap: anywhere; }
.warning:empty, .blocked:empty { display: none; }
.warning { padding-inline-start: 0.75rem; border-inline-start: 3px solid var(--offstage-caution, var(--caution)); }
.answers {
  flex: none;
  position: sticky;
  bottom: 0;
  display: grid;
  gap: 0.5rem;
  padding: 0.5rem 1.25rem 1.125rem;
  background: var(--offstage-surface, var(--surface));
}
.buttons { display: flex; flex-wrap: wrap; justify-content: flex-end; gap: 0.625rem; }
button { padding: 0.375rem 1.125rem; border: 1px solid; font-weight: 600; cursor: pointer; }
.buttons button { min-width: 6.5rem; }
.heading { display: flex; flex-wrap: wrap; align-items: end; justify-content: space-between; gap: 0 0.75rem; margin: 1rem 0 0.375rem; }
.heading h3 { margin: 0; }
.small {
  min-height: 1.75rem;
  padding: 0.125rem 0.75rem;
  border-color: var(--offstage-muted, var(--muted));
  background: var(--offstage-surface, var(--surface));
  color: inherit;
  font-size: 0.8125rem;
}
.small:hover { background: var(--offstage-field, var(--field)); }
.unseen { position: absolute; clip-path: inset(50%); width: 1px; height: 1px; overflow: hidden; white-space: nowrap; }
.deny {
  border-color: var(--offstage-muted, var(--muted));
  background: var(--offstage-surface, var(--surface));
  color: inherit;
}
.deny:hover { background: var(--offstage-field, var(--field)); }
.approve {
  border-color: var(--offstage-accent, var(--accent));
  background: var(--offstage-accent, var(--accent));
  color: var(--offstage-accent-text, var(--accent-text));
}
.approve:hover { filter: brightness(1.08); }
.approve[aria-disabled="true"] {
  border: 1px dashed var(--offstage-muted, var(--muted));
  background: var(--offstage-field, var(--field));
  color: var(--offstage-muted, var(--muted));
  cursor: not-allowed;
  filter: none;
}
:focus-visible { outline: 2px solid var(--offstage-accent, var(--accent)); outline-offset: 2px; }
.details:focus-visible { outline-offset: -2px; }
@media (max-width: 30rem) {
  .field { grid-template-columns: minmax(0, 1fr); }
  .buttons button { flex: 1 1 auto; }
}
@media (max-width: 30rem), (max-height: 34rem) {
  .header { padding: 0.75rem 1rem 0.5rem; }
  .details { min-height: 5rem; padding: 0.5rem 1rem 0.75rem; }
  .footer { padding: 0.625rem 1rem 0.25rem; gap: 0.25rem; }
  .answers { padding: 0.5rem 1rem 0.75rem; }
}
@media (max-height: 20rem) {
  .tool { max-height: 2.7em; }
  .answers { gap: 0.25rem; padding-block: 0.25rem 0.5rem; }
}
@media (forced-colors: active) {
  .mark, .gap { border-color: Mark; }
  .approve { border-width: 2px; }
}`
