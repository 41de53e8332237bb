import axe from 'axe-core'
import { Agent, type ToolLabels, tool } from 'offstage'
import { ScriptedModel } from 'offstage/testing'
import * as v from 'valibot'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { confirmDialog } from '../../../src/dialog/confirm-dialog.ts'
import { dialogTextsZh } from '../../../src/dialog/dialog-texts-zh.ts'
import type { PolicyReason } from '../../../src/tool/policy-reason.ts'
import type { TaintSource } from '../../../src/tool/taint-source.ts'
import { frames, hosts, OpenDialog, removeDialogs, request, watch } from './open-dialog.ts'

afterEach(() => {
  removeDialogs()
})

const page = 'https://soup.example/leek?print=1'
const address = 'ann@xn--hrbour-3nf.example'

/** An agent that reads what it is told to, and then mails; gives the dialog of the mail. */
async function mailDialog(
  reads: readonly string[],
  options: Parameters<typeof confirmDialog>[0] = {},
): Promise<OpenDialog> {
  const { toolCall } = ScriptedModel
  const agent = new Agent({
    model: new ScriptedModel([
      reads.map((name) => toolCall(name, { url: name === 'read_page' ? page : 'friday' })),
      toolCall('send_mail', { url: 'ann@h\u0430rbour.example' }),
      'Done.',
    ]),
    tools: [
      labelled('read_page', { effect: 'none', egress: true, externalContent: true }),
      labelled('read_notes', { effect: 'none', reads: 'private' }),
      labelled('send_mail', { effect: 'external', egress: true }),
    ],
    confirm: confirmDialog(options),
  })
  void agent.run(`Mail what ${page} says.`).catch(() => {})
  await vi.waitFor(() => expect(hosts()).toHaveLength(1))
  await frames(2)
  return new OpenDialog()
}

function labelled(name: string, labels: Partial<ToolLabels>) {
  return tool({
    name,
    description: `The app's ${name}.`,
    inputSchema: v.object({ url: v.string() }),
    ...labels,
    execute: () => 'text',
  })
}

/** The texts of each list, by its heading. */
function facts({ root }: OpenDialog): Readonly<Record<string, readonly string[]>> {
  const lists = [...root.querySelectorAll<HTMLElement>('.why h4')].map((heading) => {
    const items = [...(heading.nextElementSibling?.children ?? [])] as HTMLElement[]
    // biome-ignore lint/performance/useDomNodeTextContent: lines are told apart as they are laid out.
    return [heading.textContent, items.map(({ innerText }) => innerText.trim())] as const
  })
  return Object.fromEntries(lists)
}

function sentences({ root }: OpenDialog): readonly (string | null)[] {
  return [...root.querySelectorAll('.why > ul:first-of-type > li')].map(({ textContent }) => textContent)
}

const source = (about: string): TaintSource => ({
  kind: 'result',
  toolName: 'read_page',
  origin: 'app',
  about,
})
const rule = (changes: Partial<PolicyReason> = {}): PolicyReason => {
  return { rule: 'untrusted-effect', reason: 'A reason in full.', sources: [source(page)], ...changes }
}

function show(policy: readonly PolicyReason[], own: readonly string[] = []): OpenDialog {
  watch(confirmDialog()(request({ policy, reasons: [...own, ...policy.map(({ reason }) => reason)] })))
  return new OpenDialog()
}

describe('a question of the policy', () => {
  test('names the page, the private source and the address, and says each thing once', async () => {
    const open = await mailDialog(['read_notes', 'read_page'])
    expect(open.text('.why h3')).toBe('Why you are asked')
    expect(facts(open)).toEqual({
      'It would reach this, which neither you nor this app has named': [
        `${address}\nlooks like ann@h\u0430rbour.example`,
      ],
      'The agent has read this, which is not to be trusted': [
        `${page}\na page, read with the tool read_page`,
      ],
      'Private data that the agent has read': ['friday\na result of the tool read_notes'],
    })
    expect(sentences(open)).toEqual([
      'This call may be what text from outside wants, and not what you want.',
      'It sends its input away: look whether something private is in it.',
    ])
    expect(open.text('.details').split(page)).toHaveLength(2)
    expect(open.root.querySelector('a')).toBeNull()
  })

  test('stands above the words of the tool, in what a screen reader hears of the dialog', async () => {
    const open = await mailDialog(['read_page'])
    const [why, description] = [open.get('.why'), open.get('[part=description]')]
    expect(why.getBoundingClientRect().bottom).toBeLessThan(description.getBoundingClientRect().top)
    const about = open.root.getElementById(open.dialog.getAttribute('aria-describedby') ?? '')
    expect(about?.contains(why)).toBe(true)
    expect(open.root.getElementById(why.getAttribute('aria-labelledby') ?? '')?.textContent).toBe(
      'Why you are asked',
    )
  })

  test('keeps the reasons in full, folded away', () => {
    const open = show([rule(), rule({ rule: 'unknown-destination', reason: 'Another one.' })])
    expect(open.text('.why')).not.toContain('A reason in full.')
    const fold = open.get<HTMLDetailsElement>('.why details')
    expect(open.text('.why summary')).toBe('The reasons in full')
    fold.open = true
    return vi.waitFor(() => expect(open.text('.why details')).toContain('A reason in full.\nAnother one.'))
  })

  test('shows a rule of the app in its own words, and the reasons of the tool beside them', () => {
    const open = show(
      [rule({ rule: 'no-mail-on-sundays', reason: 'It is Sunday.' }), { rule: 'x', reason: 'It asks.' }],
      ['It asks.', 'The address is new.'],
    )
    expect(sentences(open)).toEqual(['It asks.', 'The address is new.', 'It is Sunday.', 'It asks.'])
    expect(open.root.querySelector('.why details')).toBeNull()
  })

  test('tells what is both private and not to be trusted from a page that was read twice', () => {
    const twice = [
      { ...source(page), callId: 'a' },
      { ...source(page), callId: 'b' },
    ]
    const note = { ...source('friday'), toolName: 'notes', callId: 'c' }
    const open = show([
      rule({ sources: [...twice, note] }),
      rule({ rule: 'private-egress', sources: [...twice, note], secrets: [note] }),
    ])
    const line = `${page}\na page, read with the tool read_page`
    const noted = 'friday\na result of the tool notes'
    expect(facts(open)).toEqual({
      'The agent has read this, which is not to be trusted': [line, noted],
      'Private data that the agent has read': [noted],
    })
  })

  test('names tools whose words nobody has accepted, and what was read before in the conversation', () => {
    const shown = facts(
      show([
        rule({
          sources: [
            { kind: 'description', toolName: 'find', origin: 'mcp:maps' },
            { kind: 'description', toolName: 'route', origin: 'mcp:maps' },
            { kind: 'history', toolName: 'read_page' },
          ],
        }),
      ]),
    )
    expect(Object.values(shown)).toEqual([
      [
        'what tools say of themselves, which nobody has accepted, from mcp:maps',
        'earlier in this conversation, a result of the tool read_page',
      ],
    ])
  })

  test('shows what strangers have written letter for letter', () => {
    const markup = '<img src=x onerror=alert(1)>\u202E'
    const open = show([
      rule({
        rule: markup,
        reason: markup,
        sources: [{ ...source(`https://a.example/${markup}`), toolName: markup }],
        destinations: [{ kind: 'email', name: `${markup}@b.example`, host: 'b.example' }],
      }),
    ])
    expect(open.root.querySelector('img')).toBeNull()
    const marks = [...open.root.querySelectorAll('.why .mark')].map(({ textContent }) => textContent)
    expect(marks).toEqual(['U+202E', 'U+202E', 'U+202E', 'U+202E'])
    expect(open.text('.destination')).toContain('<img src=x onerror=alert(1)>')
  })

  test('shows a page of a host that is written in other letters as it reads, too', () => {
    const open = show([rule({ sources: [source('https://xn--hrbour-3nf.example/menu')] })])
    expect(open.text('.source')).toContain(
      'https://xn--hrbour-3nf.example/menu\nlooks like h\u0430rbour.example',
    )
  })

  test('folds the rest of a long list away, with its number', () => {
    const sources = Array.from({ length: 9 }, (_, index) => source(`https://site-${index}.example/`))
    const open = show([rule({ sources })])
    expect(open.root.querySelectorAll('.source')).toHaveLength(4)
    expect(open.text('.facts + details summary')).toBe('Show 5 more')
  })

  test('speaks the language of the dialog, and the words of the app', async () => {
    const chinese = await mailDialog(['read_notes', 'read_page'], { texts: dialogTextsZh })
    expect(Object.keys(facts(chinese))).toEqual([
      '它会联系以下地址，而您和本应用都没有提到过',
      '代理读取过的不可信内容',
      '代理读取过的私密数据',
    ])
    expect(sentences(chinese).join('')).not.toMatch(/[a-z]/i)
    removeDialogs()
    const texts = { policy: { inShort: () => undefined, destinations: 'Off to' } }
    const own = await mailDialog(['read_page'], { texts })
    expect(Object.keys(facts(own))[0]).toBe('Off to')
    expect(sentences(own)[0]).toContain('The agent has read text that is not to be trusted: the page')
  })

  test.each(['light', 'dark'])('has no faults that axe finds, %s', async (scheme) => {
    const open = await mailDialog(['read_notes', 'read_page'])
    open.host.style.colorScheme = scheme
    const { violations } = await axe.run('offstage-confirm')
    expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([])
  })
})

test('a request without a rule has no part for one', () => {
  watch(confirmDialog()(request()))
  const open = new OpenDialog()
  expect(open.root.querySelector('.why')).toBeNull()
  expect(open.text('.reasons ul').trim()).toBe('The tool sends data off this page.')
})
