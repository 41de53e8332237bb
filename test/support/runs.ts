/** How often a property is tried: as often as said, and 20 times that in `npm run test:long`. */
export function runs(usual: number): number {
  return process.env.TEST_LONG ? usual * 20 : usual
}
