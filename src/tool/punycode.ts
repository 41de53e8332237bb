const prefix = 'xn--'

/** A host's name in the letters that it stands for; labels that cannot be read stay as they are. */
export function readableHost(host: string): string {
  return host
    .split('.')
    .map((label) => (label.startsWith(prefix) ? (decodeLabel(label.slice(prefix.length)) ?? label) : label))
    .join('.')
}

// RFC 3492 §5.
const [base, tMin, tMax, skew, damp, firstN, firstBias] = [36, 1, 26, 38, 700, 128, 72]

/** RFC 3492 §6.2. */
function decodeLabel(encoded: string): string | undefined {
  const split = encoded.lastIndexOf('-')
  const points = Array.from(encoded.slice(0, Math.max(0, split)), (letter) => letter.charCodeAt(0))
  let [n, i, bias] = [firstN, 0, firstBias]
  for (let at = split + 1; at < encoded.length; ) {
    const start = i
    let weight = 1
    for (let k = base; ; k += base) {
      const digit = digitOf(encoded[at++])
      if (digit === undefined) return undefined
      i += digit * weight
      const threshold = Math.min(Math.max(k - bias, tMin), tMax)
      if (digit < threshold) break
      weight *= base - threshold
    }
    const length = points.length + 1
    bias = adapt(i - start, length, start === 0)
    n += Math.floor(i / length)
    i %= length
    if (n > 0x10ffff) return undefined
    points.splice(i++, 0, n)
  }
  return String.fromCodePoint(...points)
}

function digitOf(letter: string | undefined): number | undefined {
  if (letter === undefined || !/^[a-z\d]$/i.test(letter)) return undefined
  const value = Number.parseInt(letter, 36)
  // Letters come first: a is 0, 9 is 35.
  return value < 10 ? value + 26 : value - 10
}

/** RFC 3492 §6.1. */
function adapt(delta: number, length: number, isFirst: boolean): number {
  let rest = Math.floor(delta / (isFirst ? damp : 2))
  rest += Math.floor(rest / length)
  let k = 0
  for (; rest > ((base - tMin) * tMax) / 2; k += base) rest = Math.floor(rest / (base - tMin))
  return k + Math.floor(((base - tMin + 1) * rest) / (rest + skew))
}
