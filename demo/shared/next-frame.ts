/** Resolves after the page has drawn what is on it now. */
export async function nextFrame(): Promise<void> {
  // The first callback runs before the drawing, the second one after it.
  for (let count = 0; count < 2; count += 1) {
    await new Promise((resolve) => requestAnimationFrame(resolve))
  }
}
