/** The first bits of the fractional parts of the roots of the first primes: FIPS 180-4, 4.2.2 and 5.3.3. */
const primes = Array.from({ length: 310 }, (_, index) => index + 2)
  .filter((one, _index, all) => !all.some((other) => other < one && one % other === 0))
  .slice(0, 64)
const fraction = (root: number) => ((root % 1) * 2 ** 32) | 0
const constants = primes.map((prime) => fraction(Math.cbrt(prime)))
const start = primes.slice(0, 8).map((prime) => fraction(Math.sqrt(prime)))

/**
 * SHA-256 of a text in UTF-8, as hexadecimal digits (FIPS 180-4). For short texts, where no promise can be waited for,
 * and where an insecure page has no digest of its own.
 */
export function sha256(text: string): string {
  const bytes = new TextEncoder().encode(text)
  const padded = new DataView(new ArrayBuffer(Math.ceil((bytes.length + 9) / 64) * 64))
  new Uint8Array(padded.buffer).set(bytes)
  padded.setUint8(bytes.length, 0x80)
  padded.setUint32(padded.byteLength - 4, bytes.length * 8)
  let hash = start
  for (let at = 0; at < padded.byteLength; at += 64) hash = withBlock(hash, padded, at)
  return hash.map((word) => (word >>> 0).toString(16).padStart(8, '0')).join('')
}

function withBlock(hash: readonly number[], block: DataView, at: number): number[] {
  const words = constants.map((_, index) => (index < 16 ? block.getInt32(at + 4 * index) : 0))
  const word = (index: number) => words[index] as number
  for (let index = 16; index < 64; index += 1) {
    const [before, last] = [word(index - 15), word(index - 2)]
    const small = turned(before, 7) ^ turned(before, 18) ^ (before >>> 3)
    const other = turned(last, 17) ^ turned(last, 19) ^ (last >>> 10)
    words[index] = (word(index - 16) + small + word(index - 7) + other) | 0
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = hash
  for (const [index, constant] of constants.entries()) {
    const big = turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)
    const one = (h + big + ((e & f) ^ (~e & g)) + constant + word(index)) | 0
    const two = (turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))
    ;[a, b, c, d, e, f, g, h] = [(one + two) | 0, a, b, c, (d + one) | 0, e, f, g]
  }
  return [a, b, c, d, e, f, g, h].map((value, index) => (value + (hash[index] ?? 0)) | 0)
}

function turned(word: number, bits: number): number {
  return (word >>> bits) | (word << (32 - bits))
}
