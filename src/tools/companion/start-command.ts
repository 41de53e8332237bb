/** How a person starts a companion for this page. */
export function startCommand(): string {
  const { origin = 'http://localhost:5173' } = globalThis as { readonly origin?: string }
  return `npx offstage-companion --allow git,ls,grep --root . --origin ${origin}`
}
