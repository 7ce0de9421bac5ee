// @vitest-environment jsdom
import { act, cleanup, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Deletion } from '#contract/deletions.ts'
import '../../lib/i18n.ts'
import { fakeGateway, refusal } from '../../testing/fake-gateway.ts'
import { DeletionsNote } from './deletions-note.tsx'

const LIST = 'GET /api/v1/deletions'
const KINDS = ['file', 'chats'] as const
const deletion = (about: Partial<Deletion>): Deletion => ({
  id: 1,
  kind: 'file',
  title: '',
  total: 10,
  left: 5,
  created_at: 1,
  ...about,
})
const pass = (milliseconds: number): Promise<unknown> =>
  act(() => vi.advanceTimersByTimeAsync(milliseconds))

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  cleanup()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

it('is there while something is left, with its progress, and goes when nothing is', async () => {
  const gateway = fakeGateway({
    [LIST]: [
      deletion({ left: 9 }),
      deletion({ id: 2, left: 1 }),
      deletion({ id: 3, left: null, total: null }),
    ],
  })
  render(<DeletionsNote turn={0} kinds={KINDS} />)
  await pass(0)
  expect(screen.getByRole('listitem').textContent).toBe('3 deleted files 10 items left')
  expect(screen.getByRole<HTMLProgressElement>('progressbar').value).toBe(0.5)
  gateway.answers[LIST] = [deletion({ left: 1 })]
  await pass(2000)
  expect(screen.getByRole('listitem').textContent).toBe('1 deleted file 1 item left')
  gateway.answers[LIST] = []
  await pass(2000)
  expect(screen.queryByRole('region')).toBeNull()
  const asked = gateway.calls.length
  await pass(10_000)
  expect(gateway.calls.length).toBe(asked)
})

it('asks again after the next deletion, and says that one waits which is not counted yet', async () => {
  const gateway = fakeGateway({ [LIST]: [] })
  const { rerender } = render(<DeletionsNote turn={0} kinds={KINDS} />)
  await pass(0)
  gateway.answers[LIST] = [deletion({ kind: 'chats', left: null, total: null })]
  rerender(<DeletionsNote turn={1} kinds={KINDS} />)
  await pass(0)
  expect(screen.getByRole('listitem').textContent).toBe('Chats deleted from the trash waiting')
  expect(screen.queryByRole('progressbar')).toBeNull()
})

it('leaves out what belongs to another page', async () => {
  fakeGateway({ [LIST]: [deletion({ kind: 'account', title: 'Leaver' })] })
  render(<DeletionsNote turn={0} kinds={KINDS} />)
  await pass(0)
  expect(screen.queryByRole('region')).toBeNull()
})

it('shows nothing when the call fails, and keeps what it shows until the next call succeeds', async () => {
  const gateway = fakeGateway({ [LIST]: refusal(500, 'Broken') })
  const { container, rerender } = render(<DeletionsNote turn={0} kinds={KINDS} />)
  await pass(0)
  expect(container.textContent).toBe('')
  gateway.answers[LIST] = [deletion({})]
  rerender(<DeletionsNote turn={1} kinds={KINDS} />)
  await pass(0)
  gateway.answers[LIST] = refusal(500, 'Broken')
  await pass(2000)
  expect(screen.getByRole('listitem').textContent).toBe('1 deleted file 5 items left')
  gateway.answers[LIST] = []
  await pass(2000)
  expect(container.textContent).toBe('')
})
