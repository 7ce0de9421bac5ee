// @vitest-environment jsdom
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import '../../lib/i18n.ts'
import type { ChatListItem } from '#contract/chats.ts'
import { fakeGateway } from '../../testing/fake-gateway.ts'
import { sampleChat } from '../../testing/samples.ts'
import { TooltipProvider } from '../../ui/floating/tooltip.tsx'
import { ChatTable } from './chat-table.tsx'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

it('a double click does it once, and what is chosen meanwhile stays chosen', async () => {
  fakeGateway({
    'GET /api/v1/chats/archived': [
      sampleChat({ id: 'c1', title: 'Roses' }),
      sampleChat({ id: 'c2', title: 'Tulips' }),
    ],
  })
  const done = Promise.withResolvers<void>()
  const restore = vi.fn(async (chats: readonly ChatListItem[]) => {
    await done.promise
    return chats
  })
  render(
    <TooltipProvider>
      <ChatTable kind="archived" actions={[{ label: 'Restore', icon: <svg />, act: restore }]} />
    </TooltipProvider>,
  )
  const button = await screen.findByRole('button', { name: /Restore.*Roses/ })
  fireEvent.click(button)
  fireEvent.click(button)
  fireEvent.click(screen.getByRole('checkbox', { name: /Tulips/ }))
  await act(async () => done.resolve())
  expect(screen.queryByText('Roses')).toBeNull()
  expect(screen.getByRole<HTMLInputElement>('checkbox', { name: /Tulips/ }).checked).toBe(true)
  expect(restore).toHaveBeenCalledTimes(1)
})

it('a deleted chat says when it goes for good, and a number of chosen ones only when there are some', async () => {
  const yesterday = new Date()
  yesterday.setDate(yesterday.getDate() - 1)
  yesterday.setHours(17, 20, 0, 0)
  fakeGateway({
    'GET /api/v1/chats/trash': [
      { ...sampleChat({ id: 'c1', title: 'Roses' }), deleted_at: yesterday.getTime() / 1000 },
    ],
  })
  const act = async (): Promise<readonly ChatListItem[]> => []
  render(
    <TooltipProvider>
      <ChatTable
        kind="trash"
        actions={[
          { label: 'Restore', icon: <svg />, act },
          { label: 'Delete permanently', icon: <svg />, danger: true, act },
        ]}
      />
    </TooltipProvider>,
  )
  const row = await screen.findByRole('listitem')
  expect(row.textContent).toMatch(/Deleted yesterday, 5:20.PM · (29|30) days left/)
  expect(screen.getByText('Restore').textContent).toBe('Restore')
  expect(screen.queryByText('Delete permanently')).toBeNull()
  expect(screen.getByRole('button', { name: 'Delete permanently: Roses' })).toBeTruthy()
  expect(screen.queryByText(/selected/)).toBeNull()
  fireEvent.click(screen.getByRole('checkbox', { name: /Roses/ }))
  expect(screen.getByText('1 chat selected')).toBeTruthy()
})
