/** One page of the demo. */
export interface Story {
  /** Its address: what stands behind the `#`. */
  readonly id: string
  /** In the navigation. */
  readonly name: string
  readonly title: string
  /** What can be seen here, in two sentences. */
  readonly lead: string
  /** Fills the page. When `leaving` aborts, all that it started must end. */
  open(page: HTMLElement, leaving: AbortSignal): void
}
