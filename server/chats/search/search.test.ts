import type { Storage } from '../../storage/index.ts'
import { mapInOrder } from '../../lib/in-order.ts'
import fc from 'fast-check'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { createTestChats, type TestChats } from '../../testing/create-test-chats.ts'
import { isOnPostgres } from '../../testing/create-test-storage.ts'

let test: TestChats
let owner: string
beforeEach(async () => {
  test = await createTestChats()
  owner = await test.addUser('owner')
})

let made = 0
async function create(title: string, contents: string[] = [], user = owner): Promise<string> {
  const messages = contents.map((content) => ({ id: `m${(made += 1)}`, role: 'user', content }))
  return (await test.chats.create(user, { title, messages })).id
}
const search = (text: string, page = 1) => test.chats.search(owner, { text, page })
const found = async (text: string) => (await search(text)).map(({ id }) => id)
const mark = (text: string) => text.replace('[', '\uE000').replace(']', '\uE001')

async function countDifferentWords(storage: Storage): Promise<number> {
  if (storage.engine === 'postgres') {
    const list = 'select distinct (unnest(words)).lexeme from message_search'
    return (await storage.prepare<[], number>(`select count(*) from (${list}) each`).pluck().get())!
  }
  const { sqlite } = storage
  sqlite.exec("create virtual table temp.words using fts5vocab(main, message_search, 'row')")
  return sqlite.prepare<[], number>('select count(*) from temp.words').pluck().get()!
}

describe('the search', () => {
  it('finds words of titles and messages without regard to case and accents', async () => {
    const titled = await create('Ein schöner Tag')
    const told = await create('x', ['Über den Wolken'])
    expect(await found('SCHONER')).toEqual([titled])
    expect(await found('uber wolken')).toEqual([told])
    expect(await found('wolken tag')).toEqual([])
  })

  it('takes the last word as a beginning', async () => {
    const id = await create('x', ['kubernetes cluster'])
    expect(await found('kube')).toEqual([id])
    expect(await found('cluster kuber')).toEqual([id])
    expect(await found('kube cluster')).toEqual([])
    expect(await found('k')).toEqual([])
  })

  it('finds stretches of scripts written without spaces', async () => {
    const chinese = await create('x', ['我在北京大学学习'])
    const thai = await create('y', ['ภาษาไทยง่าย'])
    expect(await found('北京')).toEqual([chinese])
    expect(await found('大学')).toEqual([chinese])
    expect(await found('京北')).toEqual([])
    expect(await found('ไทย')).toEqual([thai])
  })

  it('takes words in quotes as a phrase', async () => {
    const id = await create('x', ['the quick brown fox'])
    expect(await found('"quick brown"')).toEqual([id])
    expect(await found('"brown quick"')).toEqual([])
  })

  it('shows each chat once, with an excerpt of its newest match', async () => {
    const id = await create('x', [
      'first apple',
      'no fruit',
      `${'long '.repeat(60)}second apple${' tail'.repeat(60)}`,
    ])
    const [hit, ...rest] = await search('apple')
    expect(rest).toEqual([])
    expect(hit).toMatchObject({ id, message_id: `m${made}` })
    expect(hit!.snippet).toContain(mark('second [apple] tail'))
    expect(hit!.snippet).toMatch(/^…long .* tail…$/)
  })

  it('marks matches with accents and scripts without spaces at their place', async () => {
    await create('x', ['Das schöne Haus'])
    await create('y', ['我在北京大学'])
    expect((await search('schon'))[0]!.snippet).toBe(mark('Das [schöne] Haus'))
    expect((await search('北京'))[0]!.snippet).toBe(mark('我在[北京]大学'))
  })

  it('puts titles first, newest first, 60 a page', async () => {
    const told = (
      await mapInOrder(Array.from({ length: 61 }), (_, index) => create(`t${index}`, ['needle']))
    ).reverse()
    const titled = await create('needle in the title', ['needle'])
    const pages = [
      await search('needle'),
      await search('needle', 2),
      await search('needle', 3),
    ].map((hits) => hits.map(({ id }) => id))
    expect(pages).toEqual([[titled, ...told.slice(0, 59)], told.slice(59), []])
  })

  it('leads from a title to the newest message with the words, if there is one', async () => {
    const both = await create('lighthouse plans', ['about the lighthouse'])
    const titleOnly = await create('lighthouse at night', ['something else'])
    expect((await search('lighthouse')).find(({ id }) => id === titleOnly)).toMatchObject({
      message_id: null,
      snippet: null,
    })
    const hit = (await search('lighthouse')).find(({ id }) => id === both)
    expect(hit?.message_id).not.toBeNull()
    expect(hit?.snippet).toContain('lighthouse')
  })

  it('looks for the first words of a very long text', async () => {
    const id = await create('x', ['needle '.repeat(40)])
    expect(await found(`${'needle '.repeat(32)}absent`)).toEqual([id])
    expect(await found('的'.repeat(500))).toEqual([])
  })

  it('answers again after a page of titles alone', async () => {
    for (let index = 0; index < 60; index += 1) await create('crowded title', ['crowded'])
    expect(await search('crowded')).toHaveLength(60)
    expect(await search('crowded')).toHaveLength(60)
    expect(await search('crowded', 2)).toEqual([])
  })

  it('follows edits, renames and deletions', async () => {
    const id = await create('old name', ['old text'])
    await test.chats.update(owner, id, {
      title: 'fresh name',
      history: { messages: { [`m${made}`]: { content: 'fresh text' } } },
    })
    expect(await found('old')).toEqual([])
    expect(await found('fresh text')).toEqual([id])
    await test.chats.removeMessage(owner, id, `m${made}`)
    expect(await found('text')).toEqual([])
  })

  it.skipIf(isOnPostgres)('begins with the chats of a tag that few have', async () => {
    await create('one')
    const prepare = vi.spyOn(test.storage, 'prepare')
    await found('tag:few')
    const statements = prepare.mock.calls.map(([text]) => text)
    const list = statements.find((text) => text.includes(' limit @limit offset @offset'))
    expect(list).toContain('chat_tag')
    const plan = test.storage.sqlite
      .prepare<[object], { detail: string }>(`explain query plan ${list}`)
      .all({ userId: owner, tag: 'few', limit: 60, offset: 0 })
    expect(plan[0]?.detail).toContain('SEARCH x USING')
    prepare.mockRestore()
  })

  it('reads pinned:, archived:, shared:, tag: and folder: as conditions', async () => {
    const plain = await create('plain report')
    const pinned = await create('pinned report')
    await test.chats.togglePin(owner, pinned)
    const tagged = (
      await test.chats.create(
        owner,
        { title: 'tagged report', tags: ['My Tag', { name: 'other' }] },
        { folderId: await test.addFolder(owner, 'f1') },
      )
    ).id
    expect(await found('report pinned:true')).toEqual([pinned])
    expect(await found('pinned:false report')).toEqual([tagged, plain])
    expect(await found('report tag:my_tag')).toEqual([tagged])
    expect(await found('tag:other')).toEqual([tagged])
    expect(await found('report tag:none')).toEqual([pinned, plain])
    expect(await found('folder:f1')).toEqual([tagged])
    expect(await found('report archived:true')).toEqual([])
    expect(await found('report shared:false')).toEqual([tagged, pinned, plain])
    expect(await found('pinned:maybe')).toEqual([])
  })

  it('reads model:, before: and after:, and values in quotes', async () => {
    const named = (
      await test.chats.create(
        owner,
        { title: 'Filed', models: ['Big-Model:7b'] },
        { folderId: await test.addFolder(owner, 'Two Words') },
      )
    ).id
    const plain = await create('plain')
    expect(await found('model:big-model:7b')).toEqual([named])
    expect(await found('model:big')).toEqual([])
    expect(await found('folder:"two words"')).toEqual([named])
    expect(await found('folder:two_words filed')).toEqual([named])
    expect(await found('after:2020-01-01 before:2999-01-01')).toEqual([plain, named])
    expect(await found('before:2020-01-01')).toEqual([])
    expect(await found('before:yesterday')).toEqual([])
  })

  it('reads files: as chats whose messages have files, beside words and alone', async () => {
    const attached = (
      await test.chats.create(owner, {
        title: 'harbour report',
        messages: [
          { id: 'f1', role: 'user', content: 'see here', files: [{ type: 'file', id: 'x' }] },
        ],
      })
    ).id
    const bare = (
      await test.chats.create(owner, {
        title: 'harbour talk',
        messages: [{ id: 'f2', role: 'user', content: 'a "files":[{ in the text', files: [] }],
      })
    ).id
    expect(await found('files:true')).toEqual([attached])
    expect(await found('harbour files:true')).toEqual([attached])
    expect(await found('files:false')).toEqual([bare])
    expect(await found('files:some')).toEqual([])
  })

  it('finds the few chats that fulfil the conditions among very many hits', async () => {
    const wanted = await mapInOrder(
      ['close', 'spread'],
      async (title) => (await test.chats.create(owner, { title, tags: ['few'] })).id,
    )
    const say = (id: string, name: string) =>
      test.chats.update(owner, id, {
        history: { messages: { [name]: { role: 'user', content: 'a common word' } } },
      })
    for (const id of wanted) await say(id, 'first')
    const crowd = Array.from({ length: 1500 }, () => 'a common word')
    await create('crowd', crowd)
    await say(wanted[1]!, 'last')
    await create('more crowd', crowd)
    expect(
      (await test.chats.search(owner, { text: 'common tag:few' })).map((hit) => [
        hit.id,
        hit.message_id,
      ]),
    ).toEqual([
      [wanted[1], 'last'],
      [wanted[0], 'first'],
    ])
    expect(await found('tag:few common')).toHaveLength(2)
    expect(await found('tag:nothing common')).toEqual([])
  })

  it('finds the messages of a chat that came with thousands of them, at once', async () => {
    const texts = Array.from({ length: 3000 }, (_, index) => `entry ${index}`)
    const id = await create('long', texts)
    expect(await found('"entry 2999"')).toEqual([id])
    expect(await test.storage.prepare('select count(*) from index_backlog').pluck().get()).toBe(0)
  })

  it('finds a long text by words anywhere in it, and keeps only so many different ones of it', async () => {
    const distinct = Array.from({ length: 200_000 }, (_, place) => `w${place}`).join(' ')
    const id = await create('long', [`early ${'so it goes '.repeat(20_000)} late ${distinct}`])
    expect([await found('early'), await found('late')]).toEqual([[id], [id]])
    expect((await search('late'))[0]!.snippet).toContain(mark('[late] w0 w1'))
    const words = await countDifferentWords(test.storage)
    expect(words).toBeGreaterThan(5000)
    expect(words).toBeLessThan(20_000)
  })

  it('finds a long text as it was changed last, also while its words are being found', async () => {
    const long = (word: string) => `${'so it goes '.repeat(20_000)} ${word}`
    const id = await create('long', [long('herons')])
    const { messages } = (await test.chats.get(owner, id)).chat.history
    const [messageId] = Object.keys(messages)
    const change = (content: string) =>
      test.chats.update(owner, id, { history: { messages: { [messageId!]: { content } } } })
    await change(long('storks'))
    expect([await found('herons'), await found('storks')]).toEqual([[], [id]])
    await change('short')
    expect([await found('storks'), await found('short')]).toEqual([[], [id]])
  })

  it("never shows another user's chats, whatever is typed", async () => {
    const other = await test.addUser('other')
    await create('secret plans', ['secret words'], other)
    for (const text of [
      'secret',
      '"secret words"',
      `owner:u${Buffer.from(other).toString('hex')}`,
      'secret OR owner',
      'pinned:false',
      '',
    ]) {
      expect(await search(text)).toEqual([])
    }
  })

  it('row 73: takes every text as data: no query is ever an error', async () => {
    await create('x', ['some "quoted" text AND NOT (brackets)'])
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 40 }),
      fc
        .array(
          fc.constantFrom(
            '"',
            '*',
            'AND',
            'OR',
            'NOT',
            'NEAR(',
            ')',
            '^',
            ':',
            '{',
            '}',
            '-',
            '+',
            ' ',
            'text',
            '\0',
            '\ud800',
            "'",
            ';--',
            'tag:',
            '北',
          ),
          { maxLength: 12 },
        )
        .map((parts) => parts.join('')),
    )
    const property = fc.asyncProperty(text, fc.integer({ min: 1, max: 3 }), async (query, page) =>
      Array.isArray(await search(query, page)),
    )
    expect(await fc.check(property, { numRuns: 600 })).toMatchObject({ failed: false })
  })

  it('finds signs and emoji in titles, and not every chat, because they are no words', async () => {
    const pizza = await create('🍕 Pizza for 100%', ['dough'])
    const tea = await create('Tea', ['🍵 costs 5 €'])
    expect(await found('🍕')).toEqual([pizza])
    expect(await found('%')).toEqual([pizza])
    expect(await found('archived:false 🍕')).toEqual([pizza])
    expect(await found('archived:true 🍕')).toEqual([])
    for (const text of ['€', '++', '_', '*', '"🍵"', "' or 1=1"])
      expect(await found(text)).toEqual([])
    expect(await found('tea !')).toEqual([tea])
    expect(await found('"')).toEqual([tea, pizza])
  })

  it('writes whole characters in excerpts, whatever the message holds', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: 'grapheme-composite', maxLength: 300 }),
        fc.string({ unit: 'grapheme-composite', maxLength: 300 }),
        async (before, after) => {
          const user = await test.addUser(`u${(made += 1)}`)
          await create('x', [`${before} needle ${after}`], user)
          const snippet = (await test.chats.search(user, { text: 'needle' }))[0]!.snippet!
          expect(snippet).toContain(mark('[needle]'))
          expect(snippet.isWellFormed()).toBe(true)
        },
      ),
      { numRuns: 60 },
    )
  })
})
