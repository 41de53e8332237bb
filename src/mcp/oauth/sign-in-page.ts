import { AuthorizationError } from './authorization-error.ts'

/** The window in which a person signs in. */
export interface SignInWindow {
  /** True also when the other site cut the tie to this page (Cross-Origin-Opener-Policy). */
  readonly closed: boolean
  go(address: string): void
  focus(): void
  close(): void
}

/** Messages between the pages of this site. */
export interface PageChannel {
  post(message: unknown): void
  close(): void
}

/** What signing in needs of the page it runs on. */
export interface SignInPage {
  readonly address: URL
  /** Whether the person looks at this page. */
  hasFocus(): boolean
  /** Opens an empty window; undefined when the browser does not allow it. */
  openWindow(): SignInWindow | undefined
  /** Leaves this page. */
  leave(address: string): void
  /** Changes the address of this page without loading anything. */
  showAddress(address: URL): void
  /** Closes this page, where a script may. */
  closePage(): void
  channel(name: string, onMessage: (message: unknown) => void): PageChannel
  /** Lasts as long as the tab. */
  readonly storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>
}

/**
 * The page that this code runs on.
 *
 * @throws AuthorizationError `not-a-page` in a worker or on a server, or where the browser has no cryptography.
 */
export function thisPage(): SignInPage {
  if (typeof window === 'undefined' || typeof document === 'undefined') {
    throw new AuthorizationError(
      'not-a-page',
      'Signing in needs a window, and there is none in a worker or on a server: connect to servers with `auth` on the page.',
    )
  }
  if (!isSecureContext) {
    throw new AuthorizationError(
      'not-a-page',
      `Signing in needs a secure page, and ${location.origin} is none: serve it over https, or from localhost.`,
    )
  }
  return browserPage
}

const browserPage: SignInPage = {
  get address() {
    return new URL(location.href)
  },
  hasFocus: () => document.hasFocus(),
  openWindow: () => {
    // Opened empty: with `noopener` the browser would not tell whether it opened, nor when it is closed.
    const opened = window.open('about:blank', '_blank', 'popup,width=520,height=720')
    return opened === null ? undefined : severed(opened)
  },
  leave: (address) => location.assign(address),
  showAddress: (address) => history.replaceState(history.state, '', address),
  closePage: () => window.close(),
  channel: (name, onMessage) => {
    const channel = new BroadcastChannel(name)
    channel.onmessage = (event) => onMessage(event.data)
    return { post: (message) => channel.postMessage(message), close: () => channel.close() }
  },
  get storage() {
    return sessionStorage
  },
}

function severed(opened: Window): SignInWindow {
  // The site that will be shown there must not reach back into this page.
  opened.opener = null
  return {
    get closed() {
      return opened.closed
    },
    go: (address) => opened.location.replace(address),
    focus: () => opened.focus(),
    close: () => opened.close(),
  }
}
