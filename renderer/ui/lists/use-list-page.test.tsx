// @vitest-environment jsdom
import { act, cleanup, render, renderHook, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { ListStore } from '../../api/list-store.ts'
import { byText } from './by-text.ts'
import { ListPage } from './list-page.tsx'
import { useListPage } from './use-list-page.tsx'

afterEach(cleanup)

interface Entry {
  readonly id: string
  readonly tags: readonly string[]
}

const ENTRIES: readonly Entry[] = [
  { id: 'walk the dog', tags: ['home'] },
  { id: 'book a train', tags: ['work', 'travel'] },
  { id: 'book 10 rooms', tags: ['work'] },
  { id: 'book 9 rooms', tags: [] },
]

/** Shows a page with these entries; `refused` lets the first load fail. */
async function showEntries({ refused = 0 } = {}) {
  let loads = 0
  const store = new ListStore<Entry>({
    read: async () => {
      loads += 1
      if (loads <= refused) throw new Error('The gateway does not answer.')
      return { items: ENTRIES }
    },
    extra: {},
    keyOf: ({ id }) => id,
  })
  const { result } = renderHook(() =>
    useListPage({
      store,
      textOf: ({ id }) => id,
      orders: { name: byText(({ id }: Entry) => id), changed: () => 0 },
      tagsOf: ({ tags }) => tags,
      labels: { failed: 'Not loaded', search: 'Search entries', tags: 'Tags' },
    }),
  )
  await act(async () => {})
  const ids = () => result.current.shown.map(({ id }) => id)
  const draw = () =>
    render(
      <ListPage {...result.current.page} text="" empty={{ title: '' }} noMatch="">
        {ids().join()}
      </ListPage>,
    )
  return { result, ids, draw }
}

test('a list is shown whole in its first order, numbers by value', async () => {
  const { result, ids } = await showEntries()
  expect(ids()).toEqual(['book 9 rooms', 'book 10 rooms', 'book a train', 'walk the dog'])
  expect(result.current.page).toMatchObject({ total: 4, shown: 4, isNarrowed: false })
})

test('a list is narrowed by words and by a tag, and says so', async () => {
  const { result, ids, draw } = await showEntries()
  act(() => result.current.page.search!.onChange('book'))
  draw()
  act(() => screen.getByRole('button', { name: 'work' }).click())
  expect(ids()).toEqual(['book 10 rooms', 'book a train'])
  expect(result.current.page).toMatchObject({ total: 4, shown: 2, isNarrowed: true })
})

test('a list that could not be loaded says why, and loads again on request', async () => {
  const { result, ids } = await showEntries({ refused: 1 })
  expect(result.current.page.load).toMatchObject({ status: 'failed', failedTitle: 'Not loaded' })
  await act(async () => result.current.page.load.onRetry())
  expect(result.current.page.load.status).toBe('ready')
  expect(ids()).toHaveLength(4)
})
