import { crc32, deflateSync } from 'node:zlib'

const height = 160
const barWidth = 48
const gap = 16
/** Red, green, blue. */
const ground = [245, 246, 249]
const bar = [36, 82, 199]

/**
 * Draws bars from the bottom up, the highest one over the whole height.
 * @param {readonly number[]} values - None is negative.
 * @returns {Buffer} A PNG.
 */
export function barChart(values) {
  const width = gap + values.length * (barWidth + gap)
  const highest = Math.max(...values, 1)
  // Each row starts with its filter: 0, none.
  const rows = Buffer.alloc(height * (1 + 3 * width))
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const value = values[Math.floor((x - gap) / (barWidth + gap))] ?? 0
      const isBar = x >= gap && (x - gap) % (barWidth + gap) < barWidth
      const isHigh = height - y <= (value / highest) * (height - gap)
      rows.set(isBar && isHigh ? bar : ground, y * (1 + 3 * width) + 1 + 3 * x)
    }
  }
  return png(width, rows)
}

/** PNG, third edition, §5 and §11.2: eight bits for each of three colours, not interlaced. */
function png(width, rows) {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 2, 0, 0, 0], 8)
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(type, data) {
  const typed = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(crc32(typed))
  return Buffer.concat([length, typed, sum])
}
