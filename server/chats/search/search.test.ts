import fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import { createTestChats, type TestChats } from '../../testing/create-test-chats.ts'

let test: TestChats
let owner: string
beforeEach(() => {
  test = createTestChats()
  owner = test.addUser('owner')
})

let made = 0
function create(title: string, contents: string[] = [], user = owner): string {
  const messages = contents.map((content) => ({ id: `m${(made += 1)}`, role: 'user', content }))
  return test.chats.create(user, { title, messages }).id
}
const search = (text: string, page = 1) => test.chats.search(owner, { text, page })
const found = (text: string) => search(text).map(({ id }) => id)
const mark = (text: string) => text.replace('[', '\uE000').replace(']', '\uE001')

describe('the search', () => {
  it('finds words of titles and messages without regard to case and accents', () => {
    const titled = create('Ein schöner Tag')
    const told = create('x', ['Über den Wolken'])
    expect(found('SCHONER')).toEqual([titled])
    expect(found('uber wolken')).toEqual([told])
    expect(found('wolken tag')).toEqual([])
  })

  it('takes the last word as a beginning', () => {
    const id = create('x', ['kubernetes cluster'])
    expect(found('kube')).toEqual([id])
    expect(found('cluster kuber')).toEqual([id])
    expect(found('kube cluster')).toEqual([])
    expect(found('k')).toEqual([])
  })

  it('finds stretches of scripts written without spaces', () => {
    const chinese = create('x', ['我在北京大学学习'])
    const thai = create('y', ['ภาษาไทยง่าย'])
    expect(found('北京')).toEqual([chinese])
    expect(found('大学')).toEqual([chinese])
    expect(found('京北')).toEqual([])
    expect(found('ไทย')).toEqual([thai])
  })

  it('takes words in quotes as a phrase', () => {
    const id = create('x', ['the quick brown fox'])
    expect(found('"quick brown"')).toEqual([id])
    expect(found('"brown quick"')).toEqual([])
  })

  it('shows each chat once, with an excerpt of its newest match', () => {
    const id = create('x', [
      'first apple',
      'no fruit',
      `${'long '.repeat(60)}second apple${' tail'.repeat(60)}`,
    ])
    const [hit, ...rest] = search('apple')
    expect(rest).toEqual([])
    expect(hit).toMatchObject({ id, message_id: `m${made}` })
    expect(hit!.snippet).toContain(mark('second [apple] tail'))
    expect(hit!.snippet).toMatch(/^…long .* tail…$/)
  })

  it('marks matches with accents and scripts without spaces at their place', () => {
    create('x', ['Das schöne Haus'])
    create('y', ['我在北京大学'])
    expect(search('schon')[0]!.snippet).toBe(mark('Das [schöne] Haus'))
    expect(search('北京')[0]!.snippet).toBe(mark('我在[北京]大学'))
  })

  it('puts titles first, newest first, 60 a page', () => {
    const told = Array.from({ length: 61 }, (_, index) => create(`t${index}`, ['needle'])).reverse()
    const titled = create('needle in the title', ['needle'])
    const pages = [search('needle'), search('needle', 2), search('needle', 3)].map((hits) =>
      hits.map(({ id }) => id),
    )
    expect(pages).toEqual([[titled, ...told.slice(0, 59)], told.slice(59), []])
  })

  it('leads from a title to the newest message with the words, if there is one', () => {
    const both = create('lighthouse plans', ['about the lighthouse'])
    const titleOnly = create('lighthouse at night', ['something else'])
    expect(search('lighthouse').find(({ id }) => id === titleOnly)).toMatchObject({
      message_id: null,
      snippet: null,
    })
    const hit = search('lighthouse').find(({ id }) => id === both)
    expect(hit?.message_id).not.toBeNull()
    expect(hit?.snippet).toContain('lighthouse')
  })

  it('looks for the first words of a very long text', () => {
    const id = create('x', ['needle '.repeat(40)])
    expect(found(`${'needle '.repeat(32)}absent`)).toEqual([id])
    expect(found('的'.repeat(500))).toEqual([])
  })

  it('answers again after a page of titles alone', () => {
    for (let index = 0; index < 60; index += 1) create('crowded title', ['crowded'])
    expect(search('crowded')).toHaveLength(60)
    expect(search('crowded')).toHaveLength(60)
    expect(search('crowded', 2)).toEqual([])
  })

  it('follows edits, renames and deletions', () => {
    const id = create('old name', ['old text'])
    test.chats.update(owner, id, {
      title: 'fresh name',
      history: { messages: { [`m${made}`]: { content: 'fresh text' } } },
    })
    expect(found('old')).toEqual([])
    expect(found('fresh text')).toEqual([id])
    test.chats.removeMessage(owner, id, `m${made}`)
    expect(found('text')).toEqual([])
  })

  it('reads pinned:, archived:, shared:, tag: and folder: as conditions', () => {
    const plain = create('plain report')
    const pinned = create('pinned report')
    test.chats.togglePin(owner, pinned)
    const tagged = test.chats.create(
      owner,
      { title: 'tagged report', tags: ['My Tag', { name: 'other' }] },
      { folderId: test.addFolder(owner, 'f1') },
    ).id
    expect(found('report pinned:true')).toEqual([pinned])
    expect(found('pinned:false report')).toEqual([tagged, plain])
    expect(found('report tag:my_tag')).toEqual([tagged])
    expect(found('tag:other')).toEqual([tagged])
    expect(found('report tag:none')).toEqual([pinned, plain])
    expect(found('folder:f1')).toEqual([tagged])
    expect(found('report archived:true')).toEqual([])
    expect(found('report shared:false')).toEqual([tagged, pinned, plain])
    expect(found('pinned:maybe')).toEqual([])
  })

  it('reads model:, before: and after:, and values in quotes', () => {
    const named = test.chats.create(
      owner,
      { title: 'Filed', models: ['Big-Model:7b'] },
      { folderId: test.addFolder(owner, 'Two Words') },
    ).id
    const plain = create('plain')
    expect(found('model:big-model:7b')).toEqual([named])
    expect(found('model:big')).toEqual([])
    expect(found('folder:"two words"')).toEqual([named])
    expect(found('folder:two_words filed')).toEqual([named])
    expect(found('after:2020-01-01 before:2999-01-01')).toEqual([plain, named])
    expect(found('before:2020-01-01')).toEqual([])
    expect(found('before:yesterday')).toEqual([])
  })

  it('finds the few chats that fulfil the conditions among very many hits', () => {
    const wanted = ['close', 'spread'].map(
      (title) => test.chats.create(owner, { title, tags: ['few'] }).id,
    )
    const say = (id: string, name: string) =>
      test.chats.update(owner, id, {
        history: { messages: { [name]: { role: 'user', content: 'a common word' } } },
      })
    for (const id of wanted) say(id, 'first')
    const crowd = Array.from({ length: 1500 }, () => 'a common word')
    create('crowd', crowd)
    say(wanted[1]!, 'last')
    create('more crowd', crowd)
    expect(
      test.chats.search(owner, { text: 'common tag:few' }).map((hit) => [hit.id, hit.message_id]),
    ).toEqual([
      [wanted[1], 'last'],
      [wanted[0], 'first'],
    ])
    expect(found('tag:few common')).toHaveLength(2)
    expect(found('tag:nothing common')).toEqual([])
  })

  it('finds the messages of a chat that came with thousands of them, at once', () => {
    const texts = Array.from({ length: 3000 }, (_, index) => `entry ${index}`)
    const id = create('long', texts)
    expect(found('"entry 2999"')).toEqual([id])
    expect(test.storage.sqlite.prepare('select count(*) from index_backlog').pluck().get()).toBe(0)
  })

  it('finds a long text by words anywhere in it, and keeps only so many different ones of it', () => {
    const distinct = Array.from({ length: 200_000 }, (_, place) => `w${place}`).join(' ')
    const id = create('long', [`early ${'so it goes '.repeat(20_000)} late ${distinct}`])
    expect([found('early'), found('late')]).toEqual([[id], [id]])
    expect(search('late')[0]!.snippet).toContain(mark('[late] w0 w1'))
    const { sqlite } = test.storage
    sqlite.exec("create virtual table temp.words using fts5vocab(main, message_search, 'row')")
    const words = sqlite.prepare<[], number>('select count(*) from temp.words').pluck().get()!
    expect(words).toBeGreaterThan(5000)
    expect(words).toBeLessThan(20_000)
  })

  it('finds a long text as it was changed last, also while its words are being found', () => {
    const long = (word: string) => `${'so it goes '.repeat(20_000)} ${word}`
    const id = create('long', [long('herons')])
    const { messages } = test.chats.get(owner, id).chat.history
    const [messageId] = Object.keys(messages)
    const change = (content: string) =>
      test.chats.update(owner, id, { history: { messages: { [messageId!]: { content } } } })
    change(long('storks'))
    expect([found('herons'), found('storks')]).toEqual([[], [id]])
    change('short')
    expect([found('storks'), found('short')]).toEqual([[], [id]])
  })

  it("never shows another user's chats, whatever is typed", () => {
    const other = test.addUser('other')
    create('secret plans', ['secret words'], other)
    for (const text of [
      'secret',
      '"secret words"',
      `owner:u${Buffer.from(other).toString('hex')}`,
      'secret OR owner',
      'pinned:false',
      '',
    ]) {
      expect(search(text)).toEqual([])
    }
  })

  it('row 73: takes every text as data: no query is ever an error', () => {
    create('x', ['some "quoted" text AND NOT (brackets)'])
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
    const property = fc.property(text, fc.integer({ min: 1, max: 3 }), (query, page) =>
      Array.isArray(search(query, page)),
    )
    expect(fc.check(property, { numRuns: 600 })).toMatchObject({ failed: false })
  })

  it('writes whole characters in excerpts, whatever the message holds', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme-composite', maxLength: 300 }),
        fc.string({ unit: 'grapheme-composite', maxLength: 300 }),
        (before, after) => {
          const user = test.addUser(`u${(made += 1)}`)
          create('x', [`${before} needle ${after}`], user)
          const snippet = test.chats.search(user, { text: 'needle' })[0]!.snippet!
          expect(snippet).toContain(mark('[needle]'))
          expect(snippet.isWellFormed()).toBe(true)
        },
      ),
      { numRuns: 60 },
    )
  })
})
