import type { PageChannel, SignInPage } from './sign-in-page.ts'

/** What the page that the person comes back to tells the page that waits: the query of its address. */
interface Answer {
  readonly search: string
}

/** Waits for the answer to one attempt; each answer is acknowledged. Nobody who does not know the state can send one. */
export function awaitAnswer(
  page: SignInPage,
  state: string,
  onAnswer: (query: URLSearchParams) => void,
): PageChannel {
  const channel = page.channel(channelName(state), (message) => {
    if (!isAnswer(message)) return
    channel.post('taken')
    onAnswer(new URLSearchParams(message.search))
  })
  return channel
}

/** Sends the answer to whoever waits for it. Resolves with whether somebody took it within so many milliseconds. */
export function sendAnswer(
  page: SignInPage,
  state: string,
  search: string,
  waitMs: number,
): Promise<boolean> {
  return new Promise((resolve) => {
    const end = (taken: boolean): void => {
      clearTimeout(timer)
      channel.close()
      resolve(taken)
    }
    const timer = setTimeout(() => end(false), waitMs)
    const channel = page.channel(channelName(state), (message) => {
      if (message === 'taken') end(true)
    })
    channel.post({ search } satisfies Answer)
  })
}

function channelName(state: string): string {
  return `offstage-oauth:${state}`
}

function isAnswer(message: unknown): message is Answer {
  return (
    typeof message === 'object' &&
    message !== null &&
    'search' in message &&
    typeof message.search === 'string'
  )
}
