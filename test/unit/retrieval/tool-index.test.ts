import { type IndexedTool, ToolIndex } from 'offstage/retrieval'
import { describe, expect, it } from 'vitest'
import { found, indexed, indexOf, manyTools } from './tools.ts'

describe('what ToolIndex finds', () => {
  it.each(['addPerson', 'addperson', 'person'])(
    'K01: the words of a camelCase name are found by "%s"',
    async (query) => {
      const index = await indexOf(
        indexed('removePerson', 'Removes a contact'),
        indexed('addPerson', 'Adds a contact'),
        indexed('addPlace', 'Adds a place'),
      )
      const names = await found(index, query)
      expect(names).toContain('addPerson')
      if (query !== 'person') expect(names[0]).toBe('addPerson')
    },
  )

  it('K03: a snake_case name is found by its words, before a description that has them', async () => {
    const index = await indexOf(
      indexed('note', 'Helps to create things on the edge of a page.'),
      indexed('canvas_create_edge', 'Connects nodes'),
      indexed('canvas_create_node', 'Adds a node'),
    )
    expect((await found(index, 'create edge'))[0]).toBe('canvas_create_edge')
  })

  it('K05: a query that nothing answers gives no unrelated tools, and clearly lower scores', async () => {
    const others = manyTools(310)
    const index = await indexOf(...others, indexed('notify', 'Shows a message, as an email program does.'))
    const hits = await index.search('send gmail email')
    expect(hits.map(({ name, terms }) => [name, terms])).toEqual([['notify', ['email']]])
    await index.update([...others, indexed('gmail_send', 'Sends an email with Gmail.')])
    const [answer] = await index.search('send gmail email')
    expect(answer?.name).toBe('gmail_send')
    expect(hits[0]?.score).toBeLessThan((answer?.score ?? 0) / 2)
  })

  it('finds tools by a word that all of them have, only when no other word of the query finds any', async () => {
    const names = Array.from(
      { length: 30 },
      (_, index) => `lunch_${'abcdefghijklmnopqrstuvwxyzäöüß'[index]}x`,
    )
    const index = await indexOf(
      ...names.map((name) => indexed(name, 'Plans lunch')),
      indexed('pay', 'Pays lunch bills'),
    )
    expect(await found(index, 'lunch', { limit: 50 })).toHaveLength(31)
    expect(await found(index, 'the lunch bills', { limit: 50 })).toEqual(['pay'])
  })

  it.each([
    ['查询天气', '查询天气预报'],
    ['天气', '查询天气预报'],
    ['天気', '天気を調べる'],
    ['อากาศ', 'พยากรณ์อากาศ'],
    ['날씨', '날씨를 알려주는 도구'],
  ])('K06: "%s" finds the tool "%s"', async (query, name) => {
    const names = [
      '查询天气预报',
      '天気を調べる',
      'พยากรณ์อากาศ',
      '날씨를 알려주는 도구',
      '发送邮件',
      'メールを送る',
    ]
    const index = await indexOf(...names.map((each) => indexed(each, '')), ...manyTools(20))
    expect((await found(index, query))[0]).toBe(name)
  })

  it('K06: a Chinese query tells which of its characters matched', async () => {
    const index = await indexOf(indexed('weather', '查询天气预报'), indexed('mail', '发送邮件'))
    expect(await index.search('请查询天气和 mail')).toMatchObject([
      { name: 'mail', terms: ['mail'] },
      { name: 'weather', terms: ['查询天气'] },
    ])
  })

  it('K08: a server is found by its name, and "mcp" alone ranks nothing', async () => {
    const ofServer = (namespace: string, ...names: string[]) =>
      names.map((name) => indexed(`mcp__${namespace}__${name}`, `${name} over MCP.`, { namespace }))
    const index = await indexOf(
      ...ofServer('github', 'create_issue', 'list_pulls', 'get_file', 'merge_pull', 'fork', 'star'),
      ...ofServer('linear', 'create_issue', 'list_cycles', 'archive_project'),
      ...ofServer('slack', 'post_message', 'list_channels', 'react', 'pin', 'invite', 'topic', 'leave'),
    )
    const byServer = await found(index, 'linear')
    expect(byServer.toSorted()).toEqual([
      'mcp__linear__archive_project',
      'mcp__linear__create_issue',
      'mcp__linear__list_cycles',
    ])
    expect((await found(index, 'linear create issue'))[0]).toBe('mcp__linear__create_issue')
    expect(await found(index, 'mcp')).toEqual([])
  })

  it('K08: the name of a server that is not in the tools’ names is found', async () => {
    const index = await indexOf(
      indexed('create_issue', 'Creates an issue', { namespace: 'linear' }),
      indexed('create_page', 'Creates a page', { namespace: 'notion' }),
    )
    expect(await found(index, 'linear')).toEqual(['create_issue'])
  })

  it('K11: a description stuffed with words does not win, whatever is asked for', async () => {
    const others = manyTools(60)
    const words = others.map(({ definition }) => `${definition.name} ${definition.description}`).join(' ')
    const index = await indexOf(
      indexed('do_all', words.repeat(12).slice(0, 40_000)),
      indexed('superb', 'best tool use first '.repeat(500)),
      indexed('calculator', 'Works out an expression.'),
      ...others,
    )
    for (const { definition } of others) {
      const query = definition.description.replace('Can ', '')
      expect((await found(index, query))[0], query).not.toMatch(/do_all|superb/)
    }
    expect((await found(index, 'best tool use first calculator'))[0]).toBe('calculator')
    expect((await found(index, 'calculator'))[0]).toBe('calculator')
  })

  it('K11: what stands behind the first 4,000 characters of a description is not found', async () => {
    const index = await indexOf(
      indexed('long', `${'word '.repeat(1_000)} hidden`),
      indexed('other', 'hidden'),
    )
    expect(await found(index, 'hidden')).toEqual(['other'])
  })

  it('S14: a prefix of all tools does not hide the one that is asked for, and words are whole', async () => {
    const verbs = ['list', 'create', 'delete', 'update', 'close', 'lock']
    const things = ['issue', 'pull', 'commit', 'comment', 'branch', 'release', 'tag', 'label', 'team', 'gist']
    const names = things.flatMap((thing) => verbs.map((verb) => `github_${verb}_${thing}`)).slice(0, 59)
    const index = await indexOf(
      ...names.map((name) => indexed(name, `${name.replaceAll('_', ' ')} on GitHub.`)),
      indexed('github_get_me', 'user profile'),
    )
    expect((await found(index, 'github profile')).slice(0, 3)).toContain('github_get_me')
    const hits = await found(index, 'comment')
    expect(hits.length).toBeGreaterThan(0)
    expect(hits.every((name) => name.includes('comment'))).toBe(true)
    expect((await found(index, 'me')).filter((name) => name.includes('comment'))).toEqual([])
  })

  it('parameters count: their names, descriptions and choices, inside objects, lists and alternatives too', async () => {
    const index = await indexOf(
      indexed('one', 'Does it.', {
        parameters: {
          shipping: { type: 'object', properties: { postcode: { type: 'string' } } },
          rows: { type: 'array', items: { anyOf: [{ type: 'string', description: 'A barcode.' }] } },
          size: { enum: ['tabloid', 'letter'] },
        },
      }),
      indexed('two', 'Does it.'),
    )
    for (const query of ['postcode', 'a barcode', 'tabloid'])
      expect(await found(index, query)).toEqual(['one'])
  })

  it('a schema that contains itself many levels deep is read to a bound', async () => {
    let schema: IndexedTool['definition']['inputSchema'] = { type: 'string', description: 'innermost' }
    for (let level = 0; level < 5_000; level += 1) schema = { type: 'object', properties: { deeper: schema } }
    const index = await indexOf(indexed('deep', 'Goes down.', { parameters: { schema } }))
    expect(await found(index, 'deeper')).toEqual(['deep'])
    expect(await found(index, 'innermost')).toEqual([])
  })

  it('an example finds its tool, after one whose description says the same', async () => {
    const index = await indexOf(
      indexed('forecast', 'Gives a forecast.', { examples: ['do I need an umbrella'] }),
      indexed('umbrella_shop', 'Sells an umbrella.'),
    )
    expect(await found(index, 'umbrella')).toEqual(['umbrella_shop', 'forecast'])
  })

  it.each(['get_weather', 'Please call GET_WEATHER for Riga.', '请调用get_weather查询'])(
    'the tool that is named in "%s" is the first, with the score 1',
    async (query) => {
      const index = await indexOf(
        indexed('weather', 'Get the weather: get weather, call weather for Riga, 查询 Riga.'),
        indexed('get_weather', 'Forecast.'),
      )
      expect((await index.search(query))[0]).toMatchObject({ name: 'get_weather', score: 1 })
    },
  )

  it('a name that is a frequent word is meant by a query of that word alone', async () => {
    const others = ['web', 'file', 'image', 'mail', 'map'].map((what) =>
      indexed(`search_${what}`, 'Search: search.'),
    )
    const index = await indexOf(
      ...others,
      indexed('search', 'Looks through everything that is known. '.repeat(20)),
    )
    expect((await index.search(' Search '))[0]).toMatchObject({ name: 'search', score: 1 })
    expect((await found(index, 'search the web'))[0]).toBe('search_web')
  })

  it('a tool is named by its name without its namespace too', async () => {
    const index = await indexOf(
      indexed('jira_create_issue', 'Creates an issue', { namespace: 'jira' }),
      indexed('linear_create_issue', 'Creates an issue', { namespace: 'linear' }),
      indexed('create', 'Create issue create issue'),
    )
    expect(await found(index, 'create_issue', { limit: 2 })).toEqual([
      'jira_create_issue',
      'linear_create_issue',
    ])
  })

  it.each(['', '   ', 'how can I do this with the', '的 了 吗', '?!…', '\u0001', 'nothing­has_this'])(
    '"%s" finds nothing: it has no word but stop words, or none that a tool has',
    async (query) => {
      expect(
        await found(await indexOf(indexed('how_to_do_this', 'For the user. 天气的'), ...manyTools(5)), query),
      ).toEqual([])
    },
  )

  it('names of members of objects are words like any others', async () => {
    const index = await indexOf(
      indexed('make', 'Calls the constructor and reads __proto__ and toString.'),
      indexed('other', 'Another.'),
    )
    for (const query of ['constructor', '__proto__', 'toString', 'hasOwnProperty']) {
      expect(await found(index, query), query).toEqual(query === 'hasOwnProperty' ? [] : ['make'])
    }
  })

  it('a long text with several wishes finds a tool for each', async () => {
    const index = await indexOf(
      ...manyTools(100),
      indexed('spread', 'Open, lock and print what is in a museum: text, letter, table.'),
      indexed('translate_text', 'Translates a text.'),
      indexed('book_table', 'Books a table in a restaurant.'),
    )
    const query =
      'Open the invoice of the museum and lock it. Then translate the text of that letter. Also book a table there.'
    expect(await found(index, query)).toEqual(expect.arrayContaining(['translate_text', 'book_table']))
    const scoreOf = async (clauses: boolean) => {
      const hits = await index.search(query, { clauses, limit: 200 })
      const [one, other] = ['translate_text', 'spread'].map((wanted) =>
        hits.find(({ name }) => name === wanted),
      )
      return (one?.score ?? 0) / (other?.score ?? 1)
    }
    expect(await scoreOf(true)).toBeGreaterThan((await scoreOf(false)) * 1.01)
  })

  it('gives the words that matched as they were written, each once', async () => {
    const index = await indexOf(indexed('getForecast', 'Weather of cities in Café Zürich.'))
    const [hit] = await index.search('The WEATHERS, weather of my City: getForecast cafe zürich rain')
    expect(hit?.terms).toEqual(['WEATHERS', 'weather', 'City', 'get', 'Forecast', 'cafe', 'zürich'])
  })

  it('ranks those that may be found as if others of their servers were not there', async () => {
    const index = await indexOf(
      ...manyTools(20),
      indexed('shop_account', 'Shows what a customer owes', { namespace: 'shop' }),
      indexed('desk_account', 'Shows what a customer owes', { namespace: 'desk' }),
      indexed('desk_report', 'Lists customers by what each owes', { namespace: 'desk' }),
    )
    const among = new Set(['shop_account', 'desk_account'])
    const [one, other] = await index.search('customer owes', { among })
    expect(one?.score).toBeGreaterThan(0)
    expect(one?.score).toBe(other?.score)
    const all = await index.search('customer owes')
    const scoreOf = (name: string) => all.find((hit) => hit.name === name)?.score ?? 0
    expect(scoreOf('desk_account')).toBeGreaterThan(scoreOf('shop_account'))
  })

  it('gives at most so many hits, 8 when nothing is said, and only those among the names', async () => {
    const index = await indexOf(...manyTools(90))
    expect(await found(index, 'invoice')).toHaveLength(8)
    expect(await found(index, 'invoice', { limit: 3 })).toHaveLength(3)
    expect(await found(index, 'invoice', { limit: 0 })).toEqual([])
    const among = new Set(['print_invoice_4', 'copy_invoice_2', 'open_folder_11', 'no_such_tool'])
    expect(await found(index, 'print invoice', { among })).toEqual(['print_invoice_4', 'copy_invoice_2'])
    expect(await found(index, 'print_invoice_4', { among: new Set(['copy_invoice_2']) })).toEqual([
      'copy_invoice_2',
    ])
  })

  it('tools with equal texts come in the order of the catalogue', async () => {
    const index = await indexOf(...['r', 'p', 'q'].map((name) => indexed(`x_${name}1`, 'Sorts things.')))
    expect(await found(index, 'sort')).toEqual(['x_r1', 'x_p1', 'x_q1'])
    await index.update(['q', 'r', 'p'].map((name) => indexed(`x_${name}1`, 'Sorts things.')))
    expect(await found(index, 'sort')).toEqual(['x_q1', 'x_r1', 'x_p1'])
  })
})

describe('updates of ToolIndex', () => {
  it('add, replace and remove tools, by name, fingerprint and namespace', async () => {
    const index = await indexOf(indexed('one', 'Apples'), indexed('two', 'Pears'))
    await index.update([
      indexed('one', 'Never read, as nothing says that it changed'),
      indexed('two', 'Plums', { fingerprint: '2' }),
      indexed('three', 'Cherries'),
    ])
    expect(await found(index, 'apples pears plums cherries never read')).toEqual(
      expect.arrayContaining(['one', 'two', 'three']),
    )
    expect(await found(index, 'pears')).toEqual([])
    expect(await found(index, 'changed')).toEqual([])
    await index.update([indexed('one', 'Apples', { namespace: 'orchard' })])
    expect(await found(index, 'orchard')).toEqual(['one'])
    expect(await found(index, 'plums cherries two three')).toEqual([])
    await index.update([])
    expect(await found(index, 'apples')).toEqual([])
  })

  it('take the first of two tools with one name', async () => {
    const index = await indexOf(indexed('one', 'Apples'), indexed('one', 'Pears', { fingerprint: '2' }))
    expect(await found(index, 'apples')).toEqual(['one'])
    expect(await found(index, 'pears')).toEqual([])
    await index.update([])
    expect(await found(index, 'pears apples')).toEqual([])
  })

  it('let the page work meanwhile, and searches find what was there before', async () => {
    const index = await indexOf(...manyTools(20), indexed('old', 'Paints a picture.'))
    let isDone = false
    let turns = 0
    const turn = () => {
      turns += 1
      if (!isDone) setTimeout(turn)
    }
    setTimeout(turn)
    const updated = index.update([...manyTools(3_000), indexed('new', 'Paints a picture.')]).then(() => {
      isDone = true
    })
    const meanwhile = new Set<string>()
    while (!isDone) {
      meanwhile.add((await found(index, 'paint picture')).join())
      await new Promise((resolve) => setTimeout(resolve))
    }
    await updated
    expect(turns).toBeGreaterThan(3)
    expect([...meanwhile][0]).toBe('old')
    expect([...meanwhile].filter((names) => names !== 'old' && names !== 'new')).toEqual([])
    expect(await found(index, 'paint picture')).toEqual(['new'])
  })

  it('follow each other, and a first search waits for the first of them', async () => {
    const index = new ToolIndex()
    expect(await found(index, 'apples')).toEqual([])
    const updates = [index.update([indexed('one', 'Apples')]), index.update([indexed('two', 'Pears')])]
    expect(await found(index, 'apples')).toEqual(['one'])
    await Promise.all(updates)
    expect(await found(index, 'apples pears')).toEqual(['two'])
    await index.close()
  })

  it('are refused once it is closed, as searches are; one under way ends', async () => {
    const index = new ToolIndex()
    const update = index.update(manyTools(2_000))
    await new Promise((resolve) => setTimeout(resolve, 1))
    await index.close()
    await expect(update).rejects.toThrow('This ToolIndex is closed: make a new one.')
    await expect(index.search('x')).rejects.toThrow('closed')
    await expect(index.update([])).rejects.toThrow('closed')
  })
})
