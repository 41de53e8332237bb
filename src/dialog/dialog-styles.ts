import { controlStyles } from './control-styles.ts'
import { policyStyles } from './policy-styles.ts'
import { queueStyles } from './queue-styles.ts'
import { styleSheetOf } from './style-sheet.ts'

// What an app may set on `offstage-confirm`, and what holds when it does not. Without light-dark() the
// light colours hold.
const colors = `
:host {
  color-scheme: light dark;
  --surface: #ffffff;
  --text: #1c2024;
  --muted: #5c6370;
  --border: #d8dce2;
  --accent: #2452c7;
  --accent-text: #ffffff;
  --field: #f5f6f8;
  --caution: #d08700;
  --mark: #ffe9b8;
  --mark-text: #6b3d00;
  --backdrop: rgb(18 22 33 / 0.45);
}
@supports (color: light-dark(white, black)) {
  :host {
    --surface: light-dark(#ffffff, #1b1e24);
    --text: light-dark(#1c2024, #e8eaee);
    --muted: light-dark(#5c6370, #a4abb8);
    --border: light-dark(#d8dce2, #383d47);
    --accent: light-dark(#2452c7, #8fb0ff);
    --accent-text: light-dark(#ffffff, #0c1836);
    --field: light-dark(#f5f6f8, #23272f);
    --caution: light-dark(#d08700, #e0a93c);
    --mark: light-dark(#ffe9b8, #4a3610);
    --mark-text: light-dark(#6b3d00, #ffd88a);
    --backdrop: light-dark(rgb(18 22 33 / 0.45), rgb(0 0 0 / 0.6));
  }
}`

// Per cent, not vw and dvh: WebKit takes those from the size that the page had for an earlier dialog.
const frame = `
* { box-sizing: border-box; }
[hidden] { display: none !important; }
dialog {
  width: min(var(--offstage-width, 35rem), 100% - 1.5rem);
  max-width: none;
  max-height: calc(100% - 1.5rem);
  margin: auto;
  padding: 0;
  overflow: auto;
  overscroll-behavior: contain;
  scroll-padding-block-end: 8rem;
  border: 1px solid var(--offstage-border, var(--border));
  border-radius: var(--offstage-radius, 0.875rem);
  background: var(--offstage-surface, var(--surface));
  color: var(--offstage-text, var(--text));
  font: 400 0.9375rem / 1.5 var(--offstage-font, system-ui, sans-serif);
  letter-spacing: normal;
  text-align: start;
  text-transform: none;
  box-shadow: 0 1.5rem 4rem rgb(8 12 24 / 0.28), 0 0.25rem 1rem rgb(8 12 24 / 0.12);
}
dialog[open] { display: flex; flex-direction: column; }
dialog::backdrop { background: var(--offstage-backdrop, var(--backdrop)); }
@media (prefers-reduced-motion: no-preference) {
  dialog.enters { animation: enter 140ms ease-out; }
  dialog.enters::backdrop { animation: dim 140ms ease-out; }
}
@keyframes enter { from { transform: translateY(0.5rem); } }
@keyframes dim { from { background: transparent; } }
.header {
  flex: none;
  display: grid;
  grid-template-columns: 1fr auto;
  align-items: baseline;
  gap: 0.375rem 0.75rem;
  padding: 1.125rem 1.25rem 0.875rem;
  border-bottom: 1px solid var(--offstage-border, var(--border));
}
h2, h3 { margin: 0; font: inherit; }
h2 { color: var(--offstage-muted, var(--muted)); }
.position {
  padding: 0 0.5rem;
  border: 1px solid var(--offstage-border, var(--border));
  border-radius: 1rem;
  color: var(--offstage-muted, var(--muted));
  font-size: 0.8125rem;
  white-space: nowrap;
}
.position:empty { display: none; }
.tool {
  grid-column: 1 / -1;
  max-height: 4.5em;
  overflow: auto;
  font: 600 1.1875rem / 1.35 var(--offstage-font-mono, ui-monospace, monospace);
  overflow-wrap: anywhere;
}
.details {
  flex: 1 9999 auto;
  min-height: 8rem;
  overflow: auto;
  overscroll-behavior: contain;
  padding: 0.75rem 1.25rem 1.125rem;
}
.footer {
  flex: none;
  display: grid;
  gap: 0.375rem;
  padding: 0.875rem 1.25rem 0.375rem;
  border-top: 1px solid var(--offstage-border, var(--border));
}`

const content = `
.origin { display: block; color: var(--offstage-muted, var(--muted)); font-size: 0.875rem; }
.code, dl, .preview { font-family: var(--offstage-font-mono, ui-monospace, monospace); }
.code { color: var(--offstage-text, var(--text)); font-size: 0.8125rem; overflow-wrap: anywhere; }
.code .foldable, .code .preview { display: inline; }
.text { margin-top: 0.5rem; white-space: break-spaces; overflow-wrap: anywhere; }
h3 {
  margin: 1rem 0 0.375rem;
  color: var(--offstage-muted, var(--muted));
  font-size: 0.8125rem;
  font-weight: 600;
}
.quiet { margin: 0; color: var(--offstage-muted, var(--muted)); }
ul { margin: 0; padding: 0; list-style: none; }
li.text {
  margin-top: 0.375rem;
  padding: 0.125rem 0 0.125rem 0.75rem;
  border-inline-start: 3px solid var(--offstage-caution, var(--caution));
}
dl {
  margin: 0;
  border: 1px solid var(--offstage-border, var(--border));
  border-radius: 0.5rem;
  overflow: hidden;
  background: var(--offstage-field, var(--field));
  font-size: 0.8125rem;
  line-height: 1.55;
}
dl + details, ul + details { margin-top: 0.5rem; }
.field {
  display: grid;
  grid-template-columns: minmax(4rem, 8rem) minmax(0, 1fr);
  gap: 0.125rem 1rem;
  padding: 0.5rem 0.75rem;
}
.field + .field { border-top: 1px solid var(--offstage-border, var(--border)); }
dt { color: var(--offstage-muted, var(--muted)); overflow-wrap: anywhere; white-space: break-spaces; }
dd { margin: 0; overflow-wrap: anywhere; white-space: break-spaces; }
.literal { unicode-bidi: isolate; }
.quote { color: var(--offstage-muted, var(--muted)); }
.mark, .gap {
  margin: 0 0.125em;
  padding: 0 0.25em;
  border: 1px solid var(--offstage-caution, var(--caution));
  border-radius: 0.25em;
  background: var(--offstage-mark, var(--mark));
  color: var(--offstage-mark-text, var(--mark-text));
  font: 600 0.85em / 1.2 var(--offstage-font-mono, ui-monospace, monospace);
  unicode-bidi: isolate;
  direction: ltr;
  white-space: normal;
}
.usual {
  border-color: var(--offstage-border, var(--border));
  background: none;
  color: var(--offstage-muted, var(--muted));
  font-weight: 400;
}
.gap {
  display: block;
  width: fit-content;
  margin: 0.375em 0;
  border-style: dashed;
  font-family: var(--offstage-font, system-ui, sans-serif);
  font-weight: 400;
}
summary {
  width: fit-content;
  border-radius: 0.25rem;
  color: var(--offstage-accent, var(--accent));
  font: 500 0.8125rem / 1.75 var(--offstage-font, system-ui, sans-serif);
  cursor: pointer;
}`

/** The style sheet of the dialog. A constructed one, which `style-src 'self'` does not forbid. */
export const dialogStyleSheet: () => CSSStyleSheet = styleSheetOf(
  colors + frame + content + controlStyles + policyStyles + queueStyles,
)
