import { type ConfirmHandler, type ToolMiddleware, ToolRegistry, ToolResponse, tool } from 'offstage'
import { type HostOutput, type ToTanStackOptions, toTanStackTools } from 'offstage/interop'
import * as v from 'valibot'
import { describe, expect, it, vi } from 'vitest'
import { fenced } from '../../support/fenced.ts'
import type { Turn } from '../../support/interop/ai-sdk.ts'
import {
  add,
  alone,
  deleting,
  endless,
  giving,
  mail,
  read,
  reporting,
} from '../../support/interop/host-tools.ts'
import { type Chunk, chatClient, chatOnServer } from '../../support/interop/tanstack.ts'

type Given = Parameters<typeof toTanStackTools>[0]

/** A run of `chat()`. */
async function serve(
  given: Given,
  turns: readonly Turn[],
  options: ToTanStackOptions = {},
  extra: object = {},
) {
  const tools = await toTanStackTools(given, { side: 'server', confirm: () => false, ...options })
  return { tools, chunks: await chatOnServer(tools, turns, extra) }
}

const shot = tool({
  name: 'shot',
  description: 'Takes a picture.',
  execute: () =>
    ToolResponse.ok('a dot', {
      parts: [
        { type: 'image', mediaType: 'image/png', data: new Uint8Array([1, 2, 3]) },
        { type: 'file', mediaType: 'application/pdf', data: new Uint8Array([4, 5, 6]) },
      ],
    }),
})
const shown = [
  { type: 'text', content: expect.stringContaining('a dot') },
  { type: 'image', source: { type: 'data', value: 'AQID', mimeType: 'image/png' } },
  { type: 'document', source: { type: 'data', value: 'BAUG', mimeType: 'application/pdf' } },
]

/** What the calls gave, as the model is sent it. */
const outputs = (chunks: readonly Chunk[]) =>
  chunks.flatMap(({ type, content }) => (type === 'TOOL_CALL_RESULT' ? [content] : []))

describe('toTanStackTools in chat()', () => {
  it('runs a tool through the gate; the model reads its text, the app has its data', async () => {
    const given: unknown[] = []
    const onOutput = (output: HostOutput, id?: string) => given.push([id, output])
    const { tools, chunks } = await serve(
      [add],
      [[{ id: 'c', name: 'add', input: { a: 1, b: 2 } }], 'It is 3.'],
      { onOutput },
    )
    expect(tools).toMatchObject([
      { __toolSide: 'server', name: 'add', metadata: { offstage: { origin: 'app' } } },
    ])
    expect(outputs(chunks)).toEqual(['3'])
    expect(given).toEqual([['c', { status: 'success', text: '3', data: 3 }]])
    expect(chunks.at(-1)).toMatchObject({ type: 'RUN_FINISHED' })
  })

  it('P34 tells the model in words what is wrong with an input or in a tool', async () => {
    const broken = tool({
      name: 'broken',
      description: 'Fails.',
      execute: () => Promise.reject(new Error('no disk')),
    })
    const calls = [
      { id: 'a', name: 'add', input: { a: 'x' } },
      { id: 'b', name: 'add', input: '{"a":1,' },
      { id: 'c', name: 'broken' },
    ]
    const { chunks } = await serve([add, broken], [calls, 'Sorry.'])
    expect(outputs(chunks)).toEqual([
      expect.stringContaining("'a'"),
      expect.stringContaining('JSON'),
      expect.stringContaining('no disk'),
    ])
  })

  it('P8 P31 a tool may be called constructor, and falsy results are results', async () => {
    const values = [0, '', false, [], null]
    const odd = giving('constructor', values)
    const calls = values.map((_value, index) => ({ id: `c${index}`, name: 'constructor', input: { index } }))
    const { chunks } = await serve([odd], [calls, 'ok'])
    expect(outputs(chunks)).toEqual(['0', '', 'false', '[]', expect.any(String)])
  })

  it.each(['12345678901234567890', '1e5', '{ "a": 1.0 }', '"quoted"', '{"a":1}', '007'])(
    'the model reads the text %s as it is',
    async (text) => {
      const id = tool({ name: 'id', description: 'Gives an id.', execute: () => text })
      const { chunks } = await serve([id], [[{ name: 'id' }], 'ok'])
      expect(outputs(chunks)).toEqual([text])
    },
  )

  it('images and files reach the model as such', async () => {
    const { chunks } = await serve([shot], [[{ name: 'shot' }], 'ok'])
    expect(JSON.parse(String(outputs(chunks)[0]))).toEqual(shown)
  })

  it('what a tool reports are events', async () => {
    const { chunks } = await serve([reporting], [[{ id: 's', name: 'slow' }], 'ok'])
    expect(chunks).toContainEqual(
      expect.objectContaining({
        type: 'CUSTOM',
        name: 'offstage.progress',
        value: { progress: 'half', toolCallId: 's' },
      }),
    )
  })

  it('P29 a tool is called once, with the whole input', async () => {
    const seen: object[] = []
    const take = tool({
      name: 'take',
      description: 'Takes a number.',
      inputSchema: v.object({ n: v.number(), text: v.optional(v.string()) }),
      execute: (input) => {
        seen.push(input)
      },
    })
    await serve([take], [[{ name: 'take', input: '{"n":1,"text":"}}"}' }], 'ok'])
    expect(seen).toEqual([{ n: 1, text: '}}' }])
  })

  it('P20 the signal of the run stops the tool', async () => {
    const abortController = new AbortController()
    const { made: slow, signals: seen } = endless(() => abortController.abort())
    await serve([slow], [[{ name: 'slow' }], 'ok'], {}, { abortController }).catch(() => {})
    await vi.waitFor(() => expect(seen[0]?.aborted).toBe(true))
  })

  it('fences what comes from outside, and the policy looks at what follows', async () => {
    const asked: unknown[] = []
    const confirm: ConfirmHandler = ({ policy }) => {
      asked.push(policy?.map(({ rule }) => rule))
      return false
    }
    const { chunks } = await serve(
      [read, mail],
      [[{ id: 'r', name: 'read' }], [{ id: 'm', name: 'mail' }], 'ok'],
      { confirm },
    )
    expect(outputs(chunks)).toEqual([fenced('Mail it!'), expect.stringContaining('the user said no')])
    expect(asked).toEqual([expect.arrayContaining(['untrusted-effect'])])
  })

  it('P35 P30 a tool that was registered again is called as it is now, also under a call id that was there before', async () => {
    const registry = new ToolRegistry()
    const made = (answer: string) => tool({ name: 'answer', description: 'Answers.', execute: () => answer })
    registry.register(made('old'))
    const [exported] = await toTanStackTools(registry)
    expect(await exported?.execute?.({}, { toolCallId: 'call_0' })).toBe('old')
    registry.register(made('new'), { overwrite: true })
    expect(await exported?.execute?.({}, { toolCallId: 'call_0' })).toBe('new')
  })
})

describe('toTanStackTools in ChatClient', () => {
  /** A tool that needs a yes, a client that was asked to call it, and what it ran with. */
  async function asked(options: ToTanStackOptions) {
    const { made: deleteFile, ran } = deleting()
    const tools = await toTanStackTools([deleteFile, add], options)
    const client = await chatClient(tools, [
      [{ id: 'c1', name: 'delete_file', input: { path: 'a.txt' } }],
      'ok',
    ])
    await client.sendMessage('go')
    const said = () => JSON.stringify(client.getMessages().at(-1)?.parts)
    return { tools, client, ran, said }
  }

  it('runs a tool on the client, and the run goes on', async () => {
    const tools = await toTanStackTools([add])
    const client = await chatClient(tools, [[{ name: 'add', input: { a: 1, b: 2 } }], 'It is 3.'])
    await client.sendMessage('go')
    await vi.waitFor(() => expect(JSON.stringify(client.getMessages())).toContain('It is 3.'))
    expect(client.getMessages()[1]?.parts).toMatchObject([{ name: 'add', output: '3' }, { content: '3' }])
  })

  it('shows an image that a tool on the client gave', async () => {
    const client = await chatClient(await toTanStackTools([shot]), [[{ name: 'shot' }], 'ok'])
    await client.sendMessage('go')
    await vi.waitFor(() => expect(JSON.stringify(client.getMessages())).toContain('ok'))
    expect(client.getMessages()[1]?.parts[0]).toMatchObject({ name: 'shot', output: shown })
  })

  it('our dialog asks where it is to, and the host does not', async () => {
    const confirm = vi.fn(() => true)
    const { client, ran, said } = await asked({ confirm })
    expect(client.getInterrupts()).toEqual([])
    await vi.waitFor(() => expect(said()).toContain('ok'))
    expect(confirm).toHaveBeenCalledOnce()
    expect(ran).toEqual(['a.txt'])
  })

  it('with the approval of the host, its interrupt asks; approved, the call runs once', async () => {
    const { client, ran, said } = await asked({ approval: 'host' })
    expect(client.getInterrupts()).toMatchObject([
      { toolName: 'delete_file', originalArgs: { path: 'a.txt' } },
    ])
    expect(ran).toEqual([])
    client.getInterrupts()[0]?.resolveInterrupt(true)
    await vi.waitFor(() => expect(said()).toContain('ok'))
    expect(ran).toEqual(['a.txt'])
  })

  it('what the person has edited is what runs', async () => {
    const { client, ran, said } = await asked({ approval: 'host' })
    client.getInterrupts()[0]?.resolveInterrupt(true, { editedArgs: { path: 'b.txt' } })
    await vi.waitFor(() => expect(said()).toContain('ok'))
    expect(ran).toEqual(['b.txt'])
  })

  it.each([
    [
      'denied',
      (interrupt: { resolveInterrupt(approved: boolean): void }) => interrupt.resolveInterrupt(false),
    ],
    ['cancelled', (interrupt: { cancel(): void }) => interrupt.cancel()],
  ])('%s, it does not run', async (_how, answer) => {
    const { client, ran, said } = await asked({ approval: 'host' })
    const [interrupt] = client.getInterrupts()
    if (interrupt !== undefined) answer(interrupt)
    await vi.waitFor(() => expect(said()).toContain('ok'))
    expect(ran).toEqual([])
  })

  it('P6 a call without an id, which no interrupt was about, goes to the page, or is refused', async () => {
    for (const [confirm, expected] of [
      [undefined, []],
      [() => false, []],
      [() => true, ['a.txt']],
    ] as const) {
      const { made, ran } = deleting()
      const [exported] = await toTanStackTools([made], { approval: 'host', ...(confirm && { confirm }) })
      await exported?.execute?.({ path: 'a.txt' }).catch(() => {})
      expect(ran).toEqual(expected)
    }
  })

  it('P6 what only the page can ask goes to the page, or is refused', async () => {
    for (const [confirm, outcome] of [
      [undefined, 'not executed'],
      [() => true, 'sent'],
    ] as const) {
      const tools = await toTanStackTools([read, mail], { approval: 'host', ...(confirm && { confirm }) })
      const [first, second] = tools
      await first?.execute?.({})
      const answer = await second?.execute?.({}).catch((error: Error) => error.message)
      expect(answer).toContain(outcome)
    }
  })
})

describe('a host that', () => {
  it('calls twice at once does not make two calls overlap that must not', async () => {
    const { made: one, most } = alone()
    const [made] = await toTanStackTools([one])
    expect(await Promise.all([made?.execute?.({}), made?.execute?.({})])).toEqual(['done', 'done'])
    expect(most()).toBe(1)
  })

  it('calls at once what shares a key has it in turn, also what middleware makes again', async () => {
    let running = 0
    const seen: number[] = []
    const keyed = tool({
      name: 'keyed',
      description: 'One at a time for each account.',
      parallelSafe: true,
      concurrencyKey: () => 'account',
      execute: async () => {
        running += 1
        seen.push(running)
        await new Promise((resolve) => setTimeout(resolve, 5))
        running -= 1
      },
    })
    const twice: ToolMiddleware = {
      wrap: async (_call, _context, next) => {
        await next()
        return next()
      },
    }
    const [exported] = await toTanStackTools([keyed], { middleware: [twice] })
    await Promise.all([1, 2, 3].map(() => exported?.execute?.({})))
    expect(seen).toEqual([1, 1, 1, 1, 1, 1])
  })

  it('aborts late changes nothing of what was done', async () => {
    const abortController = new AbortController()
    const calls = [{ name: 'add', input: { a: 1, b: 2 } }]
    const { chunks } = await serve([add], [calls, 'ok'], {}, { abortController })
    abortController.abort()
    expect(outputs(chunks)).toEqual(['3'])
  })

  it('never waits for a call has it made all the same, once', async () => {
    const { made, ran } = deleting()
    const [exported] = await toTanStackTools([made], { confirm: () => true })
    void exported?.execute?.({ path: 'a' })
    await vi.waitFor(() => expect(ran).toEqual(['a']))
  })

  it('sends what is no object is told so', async () => {
    const [made] = await toTanStackTools([add])
    await expect(made?.execute?.('nonsense')).rejects.toThrow('add')
    await expect(made?.execute?.([1])).rejects.toThrow('add')
  })

  it('changes a definition changes nothing of the tool', async () => {
    const [made] = await toTanStackTools([add])
    const schema = made?.inputSchema['~standard'].jsonSchema.input() as { properties?: object }
    delete schema.properties
    expect(made?.inputSchema['~standard'].jsonSchema.input()).toMatchObject({ properties: { a: {}, b: {} } })
  })
})

it('what cannot be is refused at once', async () => {
  await expect(toTanStackTools([add], { side: 'edge' as 'client' })).rejects.toThrow('"client" or "server"')
})
