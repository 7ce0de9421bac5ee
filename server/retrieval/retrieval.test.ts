import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import {
  countIndexRows as rows,
  createTestRetrieval,
  toDocument,
  type TestRetrieval,
} from '../testing/create-test-retrieval.ts'

const never = new AbortController().signal

const HANDBOOK = `# Handbook

## Returns

Customers may send goods back within thirty days. The refund reaches the bank account after five working days.

## Warranty

The guarantee on batteries lasts two years. Water damage is not covered.

## Opening hours

The workshop in Lyon opens at seven in the morning and closes at noon on Saturdays.
`
const RECIPE =
  '# Onion soup\n\nSlice six onions and brown them slowly in butter. Pour in stock and simmer for forty minutes. Serve with toasted bread and cheese.\n'
const MANUAL =
  '# Pump manual\n\nError code E-4711 means that the inlet filter is blocked. Clean the filter with warm water and restart the pump.\n'

async function fill({ retrieval }: TestRetrieval): Promise<void> {
  for (const [id, text] of Object.entries({ handbook: HANDBOOK, recipe: RECIPE, manual: MANUAL })) {
    await retrieval.index(
      { id, kind: 'file', name: `${id}.md`, content: toDocument(text) },
      { signal: never },
    )
    await retrieval.collections.add('all', id)
  }
}

describe('indexing and searching', () => {
  it('finds the passage that answers, by meaning and words, with its place', async () => {
    const test = await createTestRetrieval({ environment: { CHUNK_MIN_SIZE_TARGET: '0' } })
    await fill(test)
    for (const mode of ['hybrid', 'words', 'vector'] as const) {
      const [first] = await test.retrieval.search(
        { texts: ['error code E-4711 filter blocked'], collections: ['all'], mode },
        never,
      )
      expect(first).toMatchObject({
        document_id: 'manual',
        name: 'manual.md',
        heading: ['Pump manual'],
      })
    }
    const [first] = await test.retrieval.search(
      { texts: ['How long does the guarantee on batteries last?'], collections: ['all'] },
      never,
    )
    expect(first!.heading).toEqual(['Handbook', 'Warranty'])
    expect(HANDBOOK.slice(first!.start, first!.end)).toBe(first!.text)
    expect(first!.score).toBeGreaterThan(0)
    expect(first!.score).toBeLessThanOrEqual(1)
  })

  it('finds nothing outside of the scope, and nothing without one', async () => {
    const test = await createTestRetrieval()
    await fill(test)
    const texts = ['onion soup with cheese']
    expect(await test.retrieval.search({ texts }, never)).toEqual([])
    expect(
      await test.retrieval.search({ texts, collections: ['nothing'], documents: [] }, never),
    ).toEqual([])
    const elsewhere = await test.retrieval.search(
      { texts, documents: ['manual', 'handbook'], limit: 50 },
      never,
    )
    expect(new Set(elsewhere.map(({ document_id }) => document_id))).not.toContain('recipe')
    expect(
      (await test.retrieval.search({ texts, documents: ['recipe'] }, never))[0]!.document_id,
    ).toBe('recipe')
  })

  it('replaces a document at once, and removes every trace of a forgotten one', async () => {
    const test = await createTestRetrieval()
    await fill(test)
    const before = await rows(test)
    const content = toDocument('# Onion soup\n\nUse leeks in the place of onions.\n')
    await test.retrieval.index(
      { id: 'recipe', kind: 'file', name: 'recipe.md', content },
      { signal: never },
    )
    const found = await test.retrieval.search(
      { texts: ['brown onions slowly in butter'], collections: ['all'], limit: 20 },
      never,
    )
    expect(found.every(({ text }) => !text.includes('butter'))).toBe(true)
    await expect.poll(() => rows(test)).toEqual(before)
    for (const id of ['handbook', 'recipe', 'manual']) await test.retrieval.forget(id)
    expect(await test.retrieval.search({ texts: ['onions'], collections: ['all'] }, never)).toEqual(
      [],
    )
    await expect.poll(() => rows(test)).toEqual([0, 0, 0, 0, 0])
    expect(await test.retrieval.collections.documents('all')).toEqual([])
  })

  it('removes every trace of documents that are forgotten one by one while others are removed and the words tidied', async () => {
    const test = await createTestRetrieval()
    const ids = Array.from({ length: 40 }, (_, place) => `note-${place}`)
    for (const id of ids)
      await test.retrieval.index(
        { id, kind: 'text', name: id, content: toDocument(`About ${id}.`) },
        { signal: never },
      )
    for (const id of ids) {
      await test.retrieval.forget(id)
      await nextTurn()
    }
    await expect.poll(() => rows(test)).toEqual([0, 0, 0, 0, 0])
  })

  it('says how far it is and stops when asked, leaving the old version in place', async () => {
    const test = await createTestRetrieval({ environment: { CHUNK_SIZE: '60' } })
    await fill(test)
    const text = Array.from(
      { length: 4000 },
      (_, place) =>
        `Paragraph ${place} about ${place * 7} kinds of garden birds and their nests.\n\n`,
    ).join('')
    const stopper = new AbortController()
    const steps: [number, number][] = []
    const work = test.retrieval.index(
      { id: 'recipe', kind: 'text', name: 'birds', content: toDocument(text) },
      {
        signal: stopper.signal,
        onProgress: (done, total) => {
          steps.push([done, total])
          if (done > 0) stopper.abort(new Error('enough'))
        },
      },
    )
    await expect(work).rejects.toThrow('enough')
    expect(steps[0]![0]).toBe(0)
    expect(steps[0]![1]).toBeGreaterThan(100)
    expect(
      (await test.retrieval.search({ texts: ['onions'], collections: ['all'] }, never))[0]!
        .document_id,
    ).toBe('recipe')
    await expect.poll(async () => (await rows(test))[0]).toBe(3)
  })

  it('lets the newer of two versions that are made at once win', async () => {
    const test = await createTestRetrieval()
    const make = (text: string) =>
      test.retrieval.index(
        { id: 'a', kind: 'text', name: 'a', content: toDocument(text) },
        { signal: never },
      )
    const first = make('First words about penguins.')
    const second = make('Second words about walruses.')
    await expect(first).rejects.toMatchObject({ status: 409 })
    await second
    const [found] = await test.retrieval.search({ texts: ['words'], documents: ['a'] }, never)
    expect(found!.text).toBe('Second words about walruses.')
    await expect.poll(async () => (await rows(test))[0]).toBe(1)
  })

  it('joins neighbours to one passage whose text is that of the document', async () => {
    const test = await createTestRetrieval({
      environment: { CHUNK_SIZE: '50', CHUNK_OVERLAP: '20', CHUNK_MIN_SIZE_TARGET: '0' },
    })
    const text = Array.from(
      { length: 12 },
      (_, place) =>
        `The lighthouse keeper noted storm number ${place} in the log and counted the ships. `,
    ).join('')
    await test.retrieval.index(
      { id: 'log', kind: 'text', name: 'log', content: toDocument(text, { format: 'text' }) },
      { signal: never },
    )
    const found = await test.retrieval.search(
      { texts: ['lighthouse keeper storm log'], documents: ['log'], limit: 4 },
      never,
    )
    expect(found.length).toBeLessThan(4)
    for (const passage of found) expect(text.slice(passage.start, passage.end)).toBe(passage.text)
    const [small] = await test.retrieval.search(
      { texts: ['lighthouse'], documents: ['log'], limit: 4, tokenBudget: 1 },
      never,
    )
    expect(small).toBeDefined()
  })

  it('keeps to the threshold, and takes any text as a query', async () => {
    const test = await createTestRetrieval()
    await fill(test)
    expect(
      await test.retrieval.search(
        { texts: ['onions'], collections: ['all'], threshold: 1.1 },
        never,
      ),
    ).toEqual([])
    for (const text of [
      '',
      '"',
      'NEAR(',
      'a AND OR NOT *',
      '\0',
      '東',
      '😀',
      '\ud800',
      'x'.repeat(100_000),
      '-'.repeat(50),
    ])
      await expect(
        test.retrieval.search({ texts: [text], collections: ['all'] }, never),
      ).resolves.toBeInstanceOf(Array)
  })

  it('finds words of scripts without spaces', async () => {
    const test = await createTestRetrieval()
    const texts = {
      tokyo: '# 旅行\n\n東京駅の近くにある旅館は予約が必要です。',
      kyoto: '# 旅行\n\n京都の寺院は朝六時に開きます。',
    }
    for (const [id, text] of Object.entries(texts)) {
      await test.retrieval.index(
        { id, kind: 'text', name: id, content: toDocument(text) },
        { signal: never },
      )
      await test.retrieval.collections.add('travel', id)
    }
    const ask = async (text: string) =>
      (
        await test.retrieval.search(
          { texts: [text], collections: ['travel'], mode: 'words' },
          never,
        )
      )[0]?.document_id
    expect(await ask('京都の寺院はいつ開きますか')).toBe('kyoto')
    expect(await ask('旅館の予約')).toBe('tokyo')
  })

  it('takes a text of many megabytes, a piece at a time', async () => {
    const test = await createTestRetrieval({ environment: { CHUNK_SIZE: '450' } })
    const text =
      'Ledger entry of the harbour office, grain and timber, weighed and paid in full. '.repeat(
        60_000,
      )
    const stopper = new AbortController()
    const onProgress = (_: number, total: number) => {
      expect(total).toBeGreaterThan(text.length / 3000)
      stopper.abort(new Error('seen enough'))
    }
    const content = toDocument(text, { format: 'text' })
    const whole = test.retrieval.index(
      { id: 'whole', kind: 'text', name: 'whole', content },
      { signal: stopper.signal, onProgress },
    )
    await expect(whole).rejects.toThrow('seen enough')
  })

  it('indexes an empty document as nothing, and counts tokens', async () => {
    const test = await createTestRetrieval()
    const done = await test.retrieval.index(
      { id: 'e', kind: 'text', name: 'e', content: toDocument(' \n') },
      { signal: never },
    )
    expect(done).toEqual({ chunks: 0, tokens: 0 })
    expect(await test.retrieval.search({ texts: ['anything'], documents: ['e'] }, never)).toEqual(
      [],
    )
    expect(await test.retrieval.countTokens('One two three <|endoftext|>')).toBeGreaterThan(4)
  })
})
