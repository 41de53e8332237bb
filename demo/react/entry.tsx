import { withoutFence } from 'offstage'
import { type ChatEntry, callState } from '../07-chat/chat-entries.ts'
import { shortJson } from '../shared/code-view.ts'

/** What somebody says, or a call: with buttons while there is something to `answer`. */
export function Entry(props: { entry: ChatEntry; answer: ((isYes: boolean) => () => void) | undefined }) {
  const { entry, answer } = props
  if (entry.kind === 'reasoning') {
    return (
      <li className="thoughts">
        <details>
          <summary>Thoughts</summary>
          <p className="words">{entry.text}</p>
        </details>
      </li>
    )
  }
  if (entry.kind !== 'call') {
    const who = entry.kind === 'you' ? 'you' : 'model'
    return (
      <li className={who}>
        <span className="who">{who}</span>
        <p className="words">{entry.text}</p>
      </li>
    )
  }
  const { call, activity, result } = entry
  return (
    <li className={answer ? 'call-card waiting' : 'call-card'} data-tool={call.name}>
      <span className="call-name">{call.name}</span>
      <code className="call-input">{activity?.inputText ?? shortJson(call.input)}</code>
      <span className="call-state">{callState(entry)}</span>
      {result && <p className="call-text">{withoutFence(result.text)}</p>}
      {answer && (
        <div className="call-action">
          {entry.question?.reasons.map((reason) => (
            <p key={reason} className="hint">
              {reason}
            </p>
          ))}
          <div className="row">
            <button type="button" className="primary" onClick={answer(true)}>
              Allow {call.name}
            </button>
            <button type="button" onClick={answer(false)}>
              Deny {call.name}
            </button>
          </div>
        </div>
      )}
    </li>
  )
}
