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
