import { expect, test } from 'vitest'
import '../lib/i18n.ts'
import { ApiError } from './api-error.ts'
import { ListStore } from './list-store.ts'

interface Row {
  readonly id: string
  readonly name: string
}

const row = (id: string, name = id): Row => ({ id, name })
const refused = new ApiError({
  status: 403,
  detail: 'Ask its owner.',
  code: null,
  requestId: null,
  retryAfter: null,
  body: {},
})
const ids = (store: ListStore<Row>): string[] => store.getState().items.map(({ id }) => id)

/** A list over replaceable rows, two a page. */
function createList(stored: Row[]) {
  const asked: number[] = []
  const store = new ListStore<Row>({
    read: async ({ page }) => {
      asked.push(page)
      await Promise.resolve()
      return { items: stored.slice((page - 1) * 2, page * 2), total: stored.length }
    },
    extra: {},
    keyOf: ({ id }) => id,
    pageSize: 2,
  })
  return { store, asked }
}

test('pages are read one behind the other, from behind what is listed however much was removed', async () => {
  const stored = ['a', 'b', 'c', 'd'].map((id) => row(id))
  const { store, asked } = createList(stored)
  await store.load()
  expect(store.getState()).toMatchObject({ status: 'ready', total: 4 })
  await store.remove(row('b'), async () => stored.splice(1, 1))
  while (store.getState().items.length < store.getState().total) await store.loadMore()
  expect(ids(store)).toEqual(['a', 'c', 'd'])
  expect(asked).toEqual([1, 1, 2])
})

test('all listed pages are read again in place, and entries that are gone leave', async () => {
  const stored = ['a', 'b', 'c', 'd', 'e'].map((id) => row(id))
  const { store, asked } = createList(stored)
  await store.load()
  await store.loadMore()
  const lengths: number[] = []
  store.subscribe(({ items }) => lengths.push(items.length))
  stored.splice(1, 1, row('x', 'new'))
  await store.reload()
  expect(ids(store)).toEqual(['a', 'x', 'c', 'd'])
  stored.splice(0, 2)
  await store.reload()
  expect(ids(store)).toEqual(['c', 'd', 'e'])
  expect(lengths.every((length) => length > 2)).toBe(true)
  expect(asked).toEqual([1, 2, 1, 2, 1, 2])
})

test('an entry being removed does not come back with a list that was read meanwhile', async () => {
  const { store } = createList([row('a'), row('b')])
  await store.load()
  await store.remove(row('a'), () => store.load())
  expect(ids(store)).toEqual(['b'])
  expect(store.getState().total).toBe(1)
})

test('a refused removal and a refused change go back to where they were', async () => {
  const { store } = createList([row('a'), row('b')])
  await store.load()
  const refuse = (): Promise<never> => Promise.reject(refused)
  await expect(store.remove(row('a'), refuse)).rejects.toThrow('Ask its owner.')
  expect(ids(store)).toEqual(['a', 'b'])
  expect(store.getState().total).toBe(2)
  const seen: string[] = []
  store.subscribe(({ items }) => seen.push(items[1]!.name))
  await expect(store.change(row('b'), row('b', 'new'), refuse)).rejects.toThrow('Ask its owner.')
  expect(seen).toEqual(['new', 'b'])
})

test('what was read while something was changed here is read again', async () => {
  const stored = [row('a')]
  const { store, asked } = createList(stored)
  const loading = store.load()
  store.put(row('b'))
  stored.push(row('b'))
  await loading
  expect(ids(store)).toEqual(['a', 'b'])
  expect(asked).toEqual([1, 1])
})

test('an answer that came too late is passed over, and a failure is told and tried again', async () => {
  const answers = [Promise.withResolvers<Row[]>(), Promise.withResolvers<Row[]>()]
  let turn = 0
  const store = new ListStore<Row, { query: string }>({
    read: async ({ state }) => {
      if (state.query === 'broken') throw refused
      return { items: await answers[turn++]!.promise }
    },
    extra: { query: '' },
    keyOf: ({ id }) => id,
  })
  const first = store.load({ query: 'a' })
  const second = store.load({ query: 'ab' })
  answers[1]!.resolve([row('ab')])
  await second
  answers[0]!.resolve([row('a')])
  await first
  expect(store.getState()).toMatchObject({ items: [{ id: 'ab' }], query: 'ab' })
  await store.load({ query: 'broken' })
  expect(store.getState()).toMatchObject({
    status: 'failed',
    problem: 'Ask its owner.',
    items: [{ id: 'ab' }],
  })
  store.clear()
  expect(store.getState()).toMatchObject({ status: 'idle', items: [], total: 0, query: '' })
})
