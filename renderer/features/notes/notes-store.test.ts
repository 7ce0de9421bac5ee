import { afterEach, expect, test, vi } from 'vitest'
import type { Note } from '#contract/notes.ts'
import { fakeGateway, refusal } from '../../testing/fake-gateway.ts'
import { sampleNote } from '../../testing/samples.ts'
import { bringBackNote, createNotesStore, inOrder, removeNote, saveNote } from './notes-store.ts'

afterEach(() => vi.unstubAllGlobals())

test('notes are read page by page, and pinned ones are shown first', async () => {
  const pages: Record<string, Note[]> = {
    '1': Array.from({ length: 60 }, (_, place) => sampleNote({ id: place ? `o${place}` : 'n1' })),
    '2': [sampleNote({ id: 'n2', is_pinned: true })],
  }
  const gateway = fakeGateway({
    'GET /api/v1/notes/search': ({ query }: { query: URLSearchParams }) => ({
      items: pages[query.get('page') ?? ''],
      total: 61,
    }),
  })
  const store = createNotesStore()
  await store.load({ query: ' roses ' })
  await store.loadMore()
  expect(gateway.calls[0]?.query.get('query')).toBe('roses')
  const { items } = store.getState()
  expect(items).toHaveLength(61)
  expect(
    inOrder(items)
      .slice(0, 2)
      .map(({ id }) => id),
  ).toEqual(['n2', 'n1'])
})

test('a refused deletion leaves the note in the list', async () => {
  fakeGateway({ 'DELETE /api/v1/notes/n1/delete': refusal(403, 'Ask its owner.') })
  const store = createNotesStore()
  store.setState({ items: [sampleNote()], total: 1 })
  await expect(removeNote(store, sampleNote())).rejects.toThrow('Ask its owner.')
  expect(store.getState()).toMatchObject({ total: 1, items: [{ id: 'n1' }] })
})

test('a save that arrives after the deletion does not bring a note back', async () => {
  fakeGateway({ 'POST /api/v1/notes/n1/update': sampleNote({ title: 'Late' }) })
  const store = createNotesStore()
  await saveNote(store, 'n1', { title: 'Late' })
  expect(store.getState().items).toEqual([])
})

test('a deleted note comes back with its text, its rights and its pin', async () => {
  const made = sampleNote({ id: 'n9' })
  const gateway = fakeGateway({
    'POST /api/v1/notes/create': made,
    'POST /api/v1/notes/n9/pin': { ...made, is_pinned: true },
  })
  const store = createNotesStore()
  await bringBackNote(store, sampleNote({ is_pinned: true }))
  expect(gateway.calls[0]?.body).toMatchObject({
    title: 'Garden',
    data: { content: { md: 'roses' } },
    access_grants: [],
  })
  expect(store.getState().items[0]).toMatchObject({ id: 'n9', is_pinned: true })
})
