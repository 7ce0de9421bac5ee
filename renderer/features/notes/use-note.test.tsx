// @vitest-environment jsdom
import { act, cleanup, fireEvent, render, renderHook, screen } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import '../../lib/i18n.ts'
import { fakeGateway, refusal } from '../../testing/fake-gateway.ts'
import { sampleNote } from '../../testing/samples.ts'
import { Toaster } from '../../ui/floating/toast.tsx'
import { TooltipProvider } from '../../ui/floating/tooltip.tsx'
import { createNotesStore } from './notes-store.ts'
import { useNoteSaver } from './use-note.ts'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const SAVE = 'POST /api/v1/notes/n1/update'

const toaster = (
  <TooltipProvider>
    <Toaster />
  </TooltipProvider>
)

it('what could not be saved after the note was left is told, and can be saved again', async () => {
  const gateway = fakeGateway({ [SAVE]: refusal(503, 'The gateway is busy.') })
  render(toaster)
  const { result, unmount } = renderHook(() => useNoteSaver(createNotesStore(), 'n1', 1))
  result.current.saver.keep({ title: 'Garden', text: 'tulips' })
  unmount()
  expect(await screen.findByText('“Garden” could not be saved. The gateway is busy.')).toBeTruthy()
  gateway.answers[SAVE] = sampleNote()
  fireEvent.click(screen.getByRole('button', { name: 'Retry' }))
  await vi.waitFor(() => expect(gateway.calls).toHaveLength(2))
  expect(gateway.calls[1]?.body).toMatchObject({
    title: 'Garden',
    data: { content: { md: 'tulips' } },
  })
})

it('nothing is said of a note that was left because it was deleted', async () => {
  const gateway = fakeGateway({ [SAVE]: refusal(404, 'This note does not exist.') })
  render(toaster)
  const { result, unmount } = renderHook(() => useNoteSaver(createNotesStore(), 'n1', 1))
  result.current.saver.keep({ title: 'Weeds', text: '' })
  unmount()
  await vi.waitFor(() => expect(gateway.calls).toHaveLength(1))
  await Promise.resolve()
  expect(screen.queryByText(/Weeds/)).toBeNull()
})

it('a note that was changed elsewhere is not saved until one text is chosen', async () => {
  const gateway = fakeGateway({
    [SAVE]: () => refusal(409, 'Changed.', { 'X-Error-Code': 'changed_meanwhile' }),
    'GET /api/v1/notes/n1': sampleNote({ title: 'Garden', updated_at: 7 }),
  })
  const store = createNotesStore()
  const { result } = renderHook(() => useNoteSaver(store, 'n1', 1))
  act(() => {
    result.current.saver.keep({ title: 'Garden', text: 'tulips' })
    result.current.saver.flush()
  })
  await vi.waitFor(() => expect(result.current).toMatchObject({ state: 'failed', isStale: true }))
  expect(gateway.calls[0]?.body).toMatchObject({ known_at: 1 })
  await act(async () => expect((await result.current.takeNewest()).title).toBe('Garden'))
  expect(result.current).toMatchObject({ state: 'saved', isStale: false })
  act(() => {
    result.current.saver.keep({ title: 'Garden', text: 'roses' })
    result.current.saver.flush()
  })
  await vi.waitFor(() => expect(result.current.isStale).toBe(true))
  expect(gateway.calls.at(-1)?.body).toMatchObject({ known_at: 7 })
  gateway.answers[SAVE] = sampleNote()
  act(() => result.current.keepMine())
  await vi.waitFor(() => expect(result.current).toMatchObject({ state: 'saved', isStale: false }))
  expect(gateway.calls.at(-1)?.body).toEqual({
    title: 'Garden',
    data: { content: { md: 'roses' } },
  })
})
