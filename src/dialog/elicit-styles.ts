import { styleSheetOf } from './style-sheet.ts'

/** The look of a server's question. Colours are those of the dialog. */
export const elicitStyleSheet: () => CSSStyleSheet = styleSheetOf(`
.answers { padding-top: 0.875rem; border-top: 1px solid var(--offstage-border, var(--border)); }
.form-about { margin-bottom: 0.875rem; font-size: 0.875rem; }
.address {
  padding: 0.5rem 0.75rem;
  border: 1px solid var(--offstage-border, var(--border));
  border-radius: 0.5rem;
  background: var(--offstage-field, var(--field));
  color: var(--offstage-muted, var(--muted));
}
.address strong, .warning strong { color: var(--offstage-text, var(--text)); font-weight: 700; }
.address strong { font-size: 1rem; }
.address + .warning { margin-top: 0.5rem; }
.details > p:last-child { margin-top: 0.5rem; }
`)
