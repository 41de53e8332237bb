/** The note that a worker writes its lines to: a new one every ten lines. */
export function noteOfLine(worker: number, time: number): string {
  return `${worker}-${Math.floor(time / 10)}.md`
}
