import { finishAuthorization } from 'offstage/mcp'

finishAuthorization().then(
  () => show('You can close this window.'),
  (error) => show(error.message),
)

function show(text: string): void {
  const output = document.querySelector('output')
  if (output !== null) output.textContent = text
}
