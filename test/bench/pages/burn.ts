/** Keeps the thread busy with a fixed amount of arithmetic; returns a value so that no engine skips it. */
export function burn(rounds: number): number {
  let value = 1
  for (let index = 0; index < rounds; index += 1) value = (value * 1_103_515_245 + 12_345) % 2_147_483_648
  return value
}

/** How many rounds of {@link burn} take about `ms` milliseconds here and now. */
export function calibrate(ms: number): number {
  const trial = 2_000_000
  burn(trial)
  const times = Array.from({ length: 5 }, () => {
    const start = performance.now()
    burn(trial)
    return performance.now() - start
  })
  return Math.round((trial * ms) / Math.min(...times))
}
