import {
  AssistantRuntimeProvider,
  ComposerPrimitive,
  MessagePrimitive,
  ThreadPrimitive,
} from '@assistant-ui/react'
import { useChatRuntime } from '@assistant-ui/react-ai-sdk'
import { lastAssistantMessageIsCompleteWithApprovalResponses } from 'ai7'
import { createElement as h } from 'react'
import { createRoot } from 'react-dom/client'
import { transport } from './transport.mjs'

const Text = ({ text }) => h('p', null, text)

function Tool({ toolName, result, approval, respondToApproval }) {
  const isOpen = approval !== undefined && approval.approved === undefined
  const answer = (approved) => () => respondToApproval({ approved })
  return h(
    'p',
    null,
    `${toolName}: ${result?.text ?? ''}`,
    isOpen && [
      h('button', { key: 'yes', type: 'button', onClick: answer(true) }, 'Allow'),
      h('button', { key: 'no', type: 'button', onClick: answer(false) }, 'Refuse'),
    ],
  )
}

const message = (role) => () =>
  h(
    'section',
    { 'aria-label': role },
    h(MessagePrimitive.Parts, { components: { Text, tools: { Fallback: Tool } } }),
  )
const components = { UserMessage: message('user'), AssistantMessage: message('assistant') }

function Chat() {
  const runtime = useChatRuntime({
    transport,
    sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithApprovalResponses,
  })
  return h(
    AssistantRuntimeProvider,
    { runtime },
    h(
      ThreadPrimitive.Root,
      null,
      h(ThreadPrimitive.Viewport, null, h(ThreadPrimitive.Messages, { components })),
    ),
    h(
      ComposerPrimitive.Root,
      null,
      h(ComposerPrimitive.Input, { 'aria-label': 'Message' }),
      h(ComposerPrimitive.Send, null, 'Send'),
    ),
  )
}

createRoot(document.getElementById('app')).render(h(Chat))
