/**
 * How a result is shown, by one rule:
 *
 * - a whole number (bigint) shows every digit;
 * - a decimal (double) shows its first 15 significant digits without trailing zeros, so `0.1 + 0.2` is
 *   `0.3`; from 1e15 on and below 1e-6 with an exponent: `1e21`, `1.5e-7`. 15 digits are what a double
 *   keeps of any decimal number, and hide the last-bit differences between engines;
 * - negative zero shows as `0`.
 *
 * What is shown can be written in an expression again.
 */
export function formatNumber(value: number | bigint): string {
  if (typeof value === 'bigint') return value.toString()
  if (value === 0) return '0'
  const digits = value.toPrecision(15).replace('e+', 'e')
  return digits.replace(/(\.\d*?)0+(?=e|$)/, '$1').replace(/\.(?=e|$)/, '')
}
