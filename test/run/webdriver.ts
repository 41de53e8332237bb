/** One session of a browser that is driven by the W3C WebDriver protocol: as much of it as the tests need. */
export class WebDriverSession {
  readonly #address: string

  private constructor(address: string) {
    this.#address = address
  }

  /** Starts a browser. `driver` is the address of the driver; `capabilities` is what every browser must match. */
  static async open(driver: string, capabilities: object): Promise<WebDriverSession> {
    const body = { capabilities: { alwaysMatch: capabilities } }
    const { sessionId } = (await send('POST', `${driver}/session`, body)) as { sessionId: string }
    return new WebDriverSession(`${driver}/session/${sessionId}`)
  }

  /** Opens a page. Whether that waits for it to load is for the capability `pageLoadStrategy` to say. */
  async visit(url: string): Promise<void> {
    await send('POST', `${this.#address}/url`, { url })
  }

  /** Clicks with the mouse at a place of the window's page, in CSS pixels. */
  async clickAt(x: number, y: number): Promise<void> {
    const move = { type: 'pointerMove', duration: 0, origin: 'viewport', x: Math.round(x), y: Math.round(y) }
    const actions = [move, { type: 'pointerDown', button: 0 }, { type: 'pointerUp', button: 0 }]
    const mouse = { type: 'pointer', id: 'mouse', parameters: { pointerType: 'mouse' }, actions }
    await send('POST', `${this.#address}/actions`, { actions: [mouse] })
  }

  /** Presses or releases a key: a character, or one of {@link namedKeys}. */
  async key(type: 'keyDown' | 'keyUp', key: string): Promise<void> {
    const keyboard = { type: 'key', id: 'keyboard', actions: [{ type, value: namedKeys[key] ?? key }] }
    await send('POST', `${this.#address}/actions`, { actions: [keyboard] })
  }

  /** Ends the browser. */
  async close(): Promise<void> {
    await send('DELETE', this.#address)
  }
}

// The protocol names keys that are no characters by a private area of Unicode.
const namedKeys: Readonly<Record<string, string>> = {
  Tab: '\uE004',
  Enter: '\uE006',
  Shift: '\uE008',
  Escape: '\uE00C',
}

async function send(method: string, address: string, body?: object): Promise<unknown> {
  const response = await fetch(address, {
    method,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const { value } = (await response.json()) as { value: unknown }
  if (response.ok) return value
  const { error, message } = value as { error: string; message: string }
  throw new Error(`WebDriver ${method} ${new URL(address).pathname}: ${error}: ${message}`)
}
