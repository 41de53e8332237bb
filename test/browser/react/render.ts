import { createElement, type FunctionComponent, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { onTestFinished } from 'vitest'

/** A component on the page, in StrictMode as apps have it. */
export interface Rendered<Props> {
  /** What it shows. */
  readonly text: () => string
  render(props: Props): void
  unmount(): void
}

/** Renders a component until the test is over. */
export function show<Props extends object>(
  component: FunctionComponent<Props>,
  props: Props,
): Rendered<Props> {
  const place = document.createElement('div')
  document.body.append(place)
  const root = createRoot(place)
  const render = (next: Props) => root.render(createElement(StrictMode, null, createElement(component, next)))
  onTestFinished(() => {
    root.unmount()
    place.remove()
  })
  render(props)
  return { text: () => place.textContent ?? '', render, unmount: () => root.unmount() }
}
