const channelName = 'offstage-test-release'

/** Lets the tool of this id go on, wherever it waits. */
export function release(id: string): void {
  new BroadcastChannel(channelName).postMessage(id)
}

/** Waits for {@link release}. */
export function released(id: string): Promise<void> {
  const channel = new BroadcastChannel(channelName)
  return new Promise((resolve) => {
    channel.onmessage = ({ data }: MessageEvent<string>) => {
      if (data !== id) return
      channel.close()
      resolve()
    }
  })
}
