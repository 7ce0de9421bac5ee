// @vitest-environment jsdom
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import '../../lib/i18n.ts'
import { fakeGateway } from '../../testing/fake-gateway.ts'
import { sampleNote } from '../../testing/samples.ts'
import { NotesPage } from './notes-page.tsx'
import { createNotesStore, putNote } from './notes-store.ts'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

it('a double click makes one note', async () => {
  const made = Promise.withResolvers<void>()
  const gateway = fakeGateway({
    'GET /api/v1/notes/search': { items: [], total: 0 },
    'POST /api/v1/notes/create': async () => {
      await made.promise
      return sampleNote()
    },
  })
  const onOpen = vi.fn()
  render(<NotesPage store={createNotesStore()} onOpen={onOpen} />)
  const button = screen.getByRole('button', { name: 'New note' })
  fireEvent.click(button)
  fireEvent.click(button)
  await act(async () => made.resolve())
  await vi.waitFor(() => expect(onOpen).toHaveBeenCalledExactlyOnceWith('n1'))
  expect(gateway.calls.filter(({ method }) => method === 'POST')).toHaveLength(1)
})

it('a list that comes after a note was opened does not take the note away', async () => {
  const found = Promise.withResolvers<void>()
  fakeGateway({
    'GET /api/v1/notes/search': async () => {
      await found.promise
      return { items: [], total: 0 }
    },
  })
  const store = createNotesStore()
  const { unmount } = render(<NotesPage store={store} onOpen={() => undefined} />)
  const loading = store.load({ query: 'roses' })
  unmount()
  putNote(store, sampleNote())
  found.resolve()
  await loading
  expect(store.getState().items.map(({ id }) => id)).toEqual(['n1'])
})
