/** The look of why the policy asks: to be seen at once, and calm. */
export const policyStyles = `
.why {
  margin-top: 0.75rem;
  padding: 0.625rem 0.875rem 0.75rem;
  border: 1px solid var(--offstage-caution, var(--caution));
  border-inline-start-width: 4px;
  border-radius: 0.5rem;
}
.why h3 { margin: 0; color: inherit; font-size: 0.9375rem; }
.why li.text { margin-top: 0.25rem; padding: 0; border: 0; }
.why h4 {
  margin: 0.75rem 0 0.25rem;
  color: var(--offstage-muted, var(--muted));
  font: inherit;
  font-size: 0.8125rem;
  font-weight: 600;
}
.facts { display: grid; gap: 0.25rem; }
.facts li {
  min-width: 0;
  padding: 0.25rem 0.625rem;
  border-radius: 0.375rem;
  background: var(--offstage-field, var(--field));
  overflow-wrap: anywhere;
}
.facts li > .code { white-space: break-spaces; }
.destination > .code, .destination .fact-about .code { font-weight: 600; }
.fact-about { color: var(--offstage-muted, var(--muted)); font-size: 0.8125rem; }
.why .fold { margin-top: 0.375rem; }
@media (forced-colors: active) {
  .facts li { border: 1px solid; }
}`
