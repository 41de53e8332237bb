import { afterEach, describe, expect, test, vi } from 'vitest'
import type { JsonObject, JsonValue } from '../../../src/tool/json-value.ts'
import {
  approveEdited,
  blockedBecause,
  buttonNamed,
  choose,
  controlOf,
  editable,
  fieldOf,
  openEditor,
  paste,
  retype,
} from './edit-input.ts'
import { removeDialogs } from './open-dialog.ts'
import { click, press, type } from './real-input.ts'

afterEach(removeDialogs)

const text = { type: 'string' }

async function editOne(schema: JsonObject, value?: JsonValue) {
  const input: JsonObject = value === undefined ? {} : { field: value }
  return openEditor(editable(input, { field: schema }))
}

describe('a text', () => {
  test('has one line when it is short, and several when it is long or has line ends', async () => {
    const { open } = await openEditor(
      editable(
        { short: 'a', long: 'b'.repeat(200), lines: 'a\nb' },
        { short: text, long: text, lines: text },
      ),
    )
    const tags = ['short', 'long', 'lines'].map((name) => controlOf(open, name).tagName)
    expect(tags).toEqual(['INPUT', 'TEXTAREA', 'TEXTAREA'])
  })

  test('keeps line ends and characters that a field cannot hold, as long as nobody changes it', async () => {
    const input = { lines: 'a\r\nb\rc', other: 'x' }
    const { open, answer } = await openEditor(editable(input, { lines: text, other: text }))
    expect(open.root.querySelector('.differs')).toBeNull()
    expect(fieldOf(open, 'lines').querySelector('.letters')?.textContent).toContain('U+000D')
    await type(controlOf(open, 'other'), 'y')
    await approveEdited(open)
    expect(answer.decision).toEqual({ approved: true, input: { ...input, other: 'xy' } })
  })

  test('shows what its field does not, letter for letter', async () => {
    const { open } = await editOne(text, 'ad\u202Eam')
    expect(open.text('.letters')).toBe('Letter for letter: adU+202Eam')
  })

  test('that is emptied is left out when it is optional, and empty when it is required', async () => {
    const schema = { type: 'object', required: ['must'], properties: { must: text, may: text } }
    const asked = editable({ must: 'a', may: 'b' }, {}, { inputSchema: schema })
    const { open, answer } = await openEditor(asked)
    await retype(controlOf(open, 'must'), '')
    await retype(controlOf(open, 'may'), '')
    await approveEdited(open)
    expect(answer.decision).toEqual({ approved: true, input: { must: '' } })
  })

  test('that was empty stays so', async () => {
    const { open, answer } = await openEditor(
      editable({ empty: '', n: 1 }, { empty: text, absent: text, n: text }),
    )
    paste(controlOf(open, 'n'), '2')
    await approveEdited(open)
    expect(answer.decision).toEqual({ approved: true, input: { empty: '', n: 2 } })
  })
})

describe('a number', () => {
  test.each([
    ['12', 12],
    [' 0.5 ', 0.5],
    ['-3e2', -300],
    ['-0', 0],
  ])('is read from %j', async (written, value) => {
    const { open, answer } = await editOne({ type: 'number' }, 1)
    paste(controlOf(open, 'field'), written)
    await approveEdited(open)
    expect(answer.decision).toEqual({ approved: true, input: { field: value } })
  })

  test.each(['1,5', 'one', '0x10', '1_000', 'Infinity', '--1', '٣', '12345678901234567890'])(
    'is not made from %j',
    async (written) => {
      const { open, answer } = await editOne({ type: 'number' }, 1)
      paste(controlOf(open, 'field'), written)
      await blockedBecause(open, 'The input cannot be read yet.')
      expect(open.text('.form-field .problems')).toMatch(/not a number|more digits/)
      expect(open.text('.difference')).toContain('cannot be read')
      await click(open.approve)
      expect(answer.decision).toBeUndefined()
    },
  )

  test('that is emptied is left out', async () => {
    const { open, answer } = await editOne({ type: 'integer' }, 1)
    await retype(controlOf(open, 'field'), '')
    await approveEdited(open)
    expect(answer.decision).toEqual({ approved: true, input: {} })
  })
})

describe('yes or no', () => {
  test('is a box when it is there, and a choice of three when it may be left out', async () => {
    const boolean = { type: 'boolean' }
    const { open, answer } = await openEditor(editable({ there: true }, { there: boolean, absent: boolean }))
    await click(controlOf(open, 'there'))
    const absent = controlOf<HTMLSelectElement>(open, 'absent')
    expect([...absent.options].map((option) => option.text)).toEqual(['not set', 'true', 'false'])
    choose(absent, 'false')
    await approveEdited(open)
    expect(answer.decision).toEqual({ approved: true, input: { there: false, absent: false } })
  })
})

describe('a choice', () => {
  test('offers the values of the schema, each as what it is', async () => {
    const { open, answer } = await editOne({ enum: [5, '5', null, 'a\u202E'] }, 5)
    const select = controlOf<HTMLSelectElement>(open, 'field')
    expect([...select.options].map((option) => option.text)).toEqual([
      'not set',
      '5',
      '"5"',
      'null',
      '"aU+202E"',
    ])
    choose(select, '"5"')
    await approveEdited(open)
    expect(answer.decision).toEqual({ approved: true, input: { field: '5' } })
  })

  test('is made from constants too', async () => {
    const { open } = await editOne({ anyOf: [{ const: 'red' }, { enum: ['green', 'blue'] }] }, 'red')
    const select = controlOf<HTMLSelectElement>(open, 'field')
    expect([...select.options].map((option) => option.text)).toEqual(['not set', 'red', 'green', 'blue'])
  })
})

describe('a list', () => {
  test('has a row for each item, which can be changed, removed and added', async () => {
    const { open, answer } = await editOne({ type: 'array', items: text }, ['a', 'b', 'c'])
    const field = fieldOf(open, 'field')
    const items = () => [...field.querySelectorAll<HTMLInputElement>('.item input')]
    await type(items()[0] as HTMLInputElement, 'x')
    await click(buttonNamed(field, 'Remove item 2'))
    expect(open.root.activeElement).toBe(buttonNamed(field, 'Remove item 2'))
    await click(buttonNamed(field, 'Add an item'))
    expect(open.root.activeElement).toBe(items()[2])
    expect(items().map(({ ariaLabel }) => ariaLabel)).toEqual(['Item 1', 'Item 2', 'Item 3'])
    await press('d')
    await approveEdited(open)
    expect(answer.decision).toEqual({ approved: true, input: { field: ['ax', 'c', 'd'] } })
  })

  test('of numbers takes none that is empty', async () => {
    const { open, answer } = await editOne({ type: 'array', items: { type: 'integer' } }, [1])
    await click(buttonNamed(open.root, 'Add an item'))
    await blockedBecause(open, 'The input cannot be read yet.')
    expect(open.text('.problems').trim()).toBe('Item 2: empty')
    await press('2')
    await approveEdited(open)
    expect(answer.decision).toEqual({ approved: true, input: { field: [1, 2] } })
  })

  test('that was left out stays so when nothing is added, and one that is emptied is empty', async () => {
    const list = { type: 'array', items: text }
    const { open, answer } = await openEditor(editable({ there: ['a'] }, { there: list, absent: list }))
    await click(buttonNamed(open.root, 'Remove item 1'))
    await approveEdited(open)
    expect(answer.decision).toEqual({ approved: true, input: { there: [] } })
  })
})

describe('an object', () => {
  const contact = {
    type: 'object',
    required: ['name'],
    properties: { name: text, address: { type: 'object', properties: { city: text } } },
  }

  test('has its fields in the form, two levels deep', async () => {
    const input = { contact: { name: 'Kim', address: { city: 'Oslo' } } }
    const check = vi.fn(async () => [{ path: 'contact.address.city', message: 'unknown city' }])
    const { open } = await openEditor(editable(input, { contact }, { check }))
    paste(controlOf(open, 'city'), 'Rom')
    await vi.waitFor(() => expect(check).toHaveBeenCalledOnce())
    expect(check).toHaveBeenCalledWith({ contact: { name: 'Kim', address: { city: 'Rom' } } })
    await vi.waitFor(() => expect(fieldOf(open, 'city').textContent).toContain('unknown city'))
    expect([...open.root.querySelectorAll('.differs')]).toEqual([fieldOf(open, 'city')])
    await click(buttonNamed(fieldOf(open, 'city'), 'Undo'))
    expect(controlOf(open, 'city').value).toBe('Oslo')
  })

  test('that is not there can be added, with its defaults, and removed again', async () => {
    const stay = { type: 'object', properties: { nights: { type: 'integer', default: 2 }, note: text } }
    const { open, answer } = await openEditor(editable({ to: 'a' }, { to: text, stay }))
    await click(buttonNamed(fieldOf(open, 'stay'), 'Add'))
    expect(controlOf(open, 'nights').value).toBe('2')
    expect(fieldOf(open, 'stay').classList).toContain('differs')
    await click(buttonNamed(fieldOf(open, 'stay'), 'Remove'))
    expect(open.root.querySelector('.differs')).toBeNull()
    await click(buttonNamed(fieldOf(open, 'stay'), 'Add'))
    await approveEdited(open)
    expect(answer.decision).toEqual({ approved: true, input: { to: 'a', stay: { nights: 2 } } })
  })
})

describe('what a form cannot show', () => {
  test.each<[string, JsonObject, JsonValue]>([
    ['a union', { anyOf: [text, { type: 'null' }] }, null],
    ['a list of objects', { type: 'array', items: { type: 'object' } }, [{ a: 1 }]],
    ['an object without fields', { type: 'object', additionalProperties: true }, { a: 1 }],
    ['a reference', { $ref: '#/$defs/node' }, { a: 1 }],
    ['nothing known', {}, 'a'],
  ])('is JSON in the form: %s', async (_what, schema, value) => {
    const { open, answer } = await editOne(schema, value)
    const area = controlOf<HTMLTextAreaElement>(open, 'field')
    expect(JSON.parse(area.value)).toEqual(value)
    paste(area, '[1, ')
    await blockedBecause(open, 'The input cannot be read yet.')
    paste(area, '[1, 2]')
    await approveEdited(open)
    expect(answer.decision).toEqual({ approved: true, input: { field: [1, 2] } })
  })

  test('a key that the schema does not name has a field of its own', async () => {
    const { open, answer } = await openEditor(editable({ to: 'a', more: { b: 1 } }, { to: text }))
    paste(controlOf(open, 'more'), '2')
    await approveEdited(open)
    expect(answer.decision).toEqual({ approved: true, input: { to: 'a', more: 2 } })
  })

  test('a field may be called constructor or toString', async () => {
    const properties = { toString: text, valueOf: text }
    const { open, answer } = await openEditor(editable({ toString: 'a' } as never, properties as never))
    expect(controlOf(open, 'valueOf').value).toBe('')
    await type(controlOf(open, 'toString'), 'b')
    await approveEdited(open)
    expect(answer.decision).toEqual({ approved: true, input: { toString: 'ab' } })
  })

  test('an input of a thousand fields is JSON as a whole', async () => {
    const input = Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`f${index}`, index]))
    const { open } = await openEditor(editable(input, { f0: { type: 'number' } }))
    expect(JSON.parse(open.get<HTMLTextAreaElement>('textarea').value)).toEqual(input)
  })
})

test('a field says whether it is required, and its description as text', async () => {
  const description = '<b>Where</b>\u202E to'
  const schema = { type: 'object', required: ['to'], properties: { to: { ...text, description }, cc: text } }
  const { open } = await openEditor(editable({ to: 'a' }, {}, { inputSchema: schema }))
  expect(fieldOf(open, 'to').querySelector('.need')?.textContent).toBe('required')
  expect(fieldOf(open, 'cc').querySelector('.need')?.textContent).toBe('optional')
  expect(fieldOf(open, 'to').querySelector('.help')?.textContent).toBe('<b>Where</b>U+202E to')
  const described = controlOf(open, 'to').getAttribute('aria-describedby')?.split(' ')[0] ?? ''
  expect(open.root.getElementById(described)?.textContent).toContain('Where')
})
