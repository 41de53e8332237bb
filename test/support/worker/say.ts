const channelName = 'offstage-test'

/** Says something to the test, also from code that no message of the library tells of. */
export function say(text: string): void {
  // One channel for each word: closing it at once would lose what was just posted.
  new BroadcastChannel(channelName).postMessage(text)
}

/** Waits until somebody says this. Ask before it may be said: what was said earlier is gone. */
export function hear(text: string): Promise<void> {
  const channel = new BroadcastChannel(channelName)
  return new Promise((resolve) => {
    channel.addEventListener('message', ({ data }: MessageEvent<string>) => {
      if (data !== text) return
      channel.close()
      resolve()
    })
  })
}

/** What workers said since; `close` stops listening. */
export interface Listener {
  readonly heard: readonly string[]
  close(): void
}

/** Listens to what workers say. Tests tell their own from others by an id in the text. */
export function listen(): Listener {
  const heard: string[] = []
  const channel = new BroadcastChannel(channelName)
  channel.addEventListener('message', ({ data }: MessageEvent<string>) => heard.push(data))
  return { heard, close: () => channel.close() }
}
