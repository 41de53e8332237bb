import { type KeyboardEvent, type RefObject, useState } from 'react'

/** The box in which a person writes, with its buttons. */
export function Composer(props: {
  box: RefObject<HTMLTextAreaElement | null>
  isRunning: boolean
  state: string
  send: (text: string) => void
  stop: () => void
}) {
  const [text, setText] = useState('')
  const send = () => {
    props.box.current?.focus()
    if (props.isRunning || text.trim() === '') return
    setText('')
    props.send(text.trim())
  }
  const pressed = (event: KeyboardEvent) => {
    // The Enter that ends a word of an input method sends nothing.
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
    event.preventDefault()
    send()
  }
  return (
    <div className="composer">
      <textarea
        ref={props.box}
        rows={2}
        aria-label="Message"
        placeholder="Write a message"
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={pressed}
      />
      <div className="row">
        <button type="button" className="primary" aria-disabled={props.isRunning} onClick={send}>
          Send
        </button>
        <button type="button" aria-disabled={!props.isRunning} onClick={props.stop}>
          Stop
        </button>
        <span className="status" role="status">
          {props.state}
        </span>
      </div>
    </div>
  )
}
