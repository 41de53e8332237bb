import fc from 'fast-check'
import { expect, it } from 'vitest'
import { wholeLinesSize } from '../../../../src/storage/whole-lines.ts'
import { entryLine, headerLine, readContent, readHeader } from '../../../../src/tools/notes/note-format.ts'

const texts = fc.array(fc.string({ unit: 'binary', minLength: 1, maxLength: 20 }), { maxLength: 5 })
const bytesOf = (text: string) => new TextEncoder().encode(text)

async function wholeLines(bytes: Uint8Array): Promise<string> {
  const size = await wholeLinesSize(bytes.length, (from, to) => bytes.subarray(from, to))
  return new TextDecoder().decode(bytes.subarray(0, size))
}

function textOf(entries: readonly string[]): string {
  return entries.map((entry) => (entry.endsWith('\n') ? entry : `${entry}\n`)).join('')
}

it('a file that is cut off anywhere shows the appends that are whole, and no part of another', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.string({ minLength: 1 }),
      texts,
      fc.nat(),
      fc.boolean(),
      async (path, all, cut, zeros) => {
        const lines = [headerLine(path), ...all.map(entryLine)]
        const bytes = bytesOf(lines.join(''))
        const length = cut % (bytes.length + 1)
        // After a crash the rest may be there, but never written.
        const tail = new Uint8Array(zeros ? 5_000 : 0)
        const torn = Uint8Array.from([...bytes.subarray(0, length), ...tail])
        let end = bytesOf(lines[0] ?? '').length
        const whole = all.filter((_entry, index) => {
          end += bytesOf(lines[index + 1] ?? '').length
          return end <= length
        })
        const content = readContent(await wholeLines(torn), path)
        expect(content).toEqual(
          whole.length === 0 ? undefined : { path, text: textOf(whole), damagedLines: 0 },
        )
      },
    ),
  )
})

it('a line that the storage damaged is left out and counted; all others are there', () => {
  fc.assert(
    fc.property(
      texts,
      texts,
      fc.constantFrom('{', '7', '{"text":1}', '\u0000\u0000', '["text"]'),
      (before, after, bad) => {
        const lines = [headerLine('a'), ...before.map(entryLine), `${bad}\n`, ...after.map(entryLine)]
        expect(readContent(lines.join(''), 'a')).toEqual({
          path: 'a',
          text: textOf([...before, ...after]),
          damagedLines: 1,
        })
      },
    ),
  )
})

it('the first line gives the path, whatever is in it; other lines do not', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (path) => {
      expect(readHeader(headerLine(path).trimEnd())).toBe(path)
    }),
  )
  for (const line of ['', '{}', '[]', 'x', '{"note":2,"path":"a"}', '{"note":1,"path":1}', '{"note":1,']) {
    expect(readHeader(line)).toBeUndefined()
  }
})
