import { useChat } from '@ai-sdk/react'
import { lastAssistantMessageIsCompleteWithApprovalResponses } from 'ai7'
import { createElement as h } from 'react'
import { createRoot } from 'react-dom/client'
import { transport } from './transport.mjs'

function Chat() {
  const { messages, sendMessage, addToolApprovalResponse, status } = useChat({
    transport,
    sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithApprovalResponses,
  })
  const answer = (id, approved) => () => addToolApprovalResponse({ id, approved })
  const part = ({ type, text, state, output, approval }, index) => {
    if (type === 'text') return h('p', { key: index }, text)
    if (type !== 'tool-delete_file') return null
    return h(
      'p',
      { key: index },
      `delete_file: ${state} ${output?.text ?? ''}`,
      state === 'approval-requested' && [
        h('button', { key: 'yes', type: 'button', onClick: answer(approval.id, true) }, 'Allow'),
        h('button', { key: 'no', type: 'button', onClick: answer(approval.id, false) }, 'Refuse'),
      ],
    )
  }
  return h(
    'main',
    null,
    messages.map(({ id, role, parts }) => h('section', { key: id, 'aria-label': role }, parts.map(part))),
    h('output', null, status),
    h('button', { type: 'button', onClick: () => sendMessage({ text: 'Delete it' }) }, 'Send'),
  )
}

createRoot(document.getElementById('app')).render(h(Chat))
