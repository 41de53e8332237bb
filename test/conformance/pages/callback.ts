import { finishAuthorization } from 'offstage/mcp'

finishAuthorization().catch((error) => {
  document.body.textContent = String(error)
})
