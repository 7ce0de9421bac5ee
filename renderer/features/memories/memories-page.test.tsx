// @vitest-environment jsdom
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import '../../lib/i18n.ts'
import { fakeGateway } from '../../testing/fake-gateway.ts'
import { TooltipProvider } from '../../ui/floating/tooltip.tsx'
import { MemoriesPage } from './memories-page.tsx'
import { createMemoriesStore } from './memories-store.ts'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

it('the next memory that is typed while one is being stored stays in the box', async () => {
  const stored = Promise.withResolvers<void>()
  fakeGateway({
    'GET /api/v1/memories/': [],
    'POST /api/v1/memories/add': async () => {
      await stored.promise
      return { id: 'm1', user_id: 'u1', content: 'Lives in Oslo', created_at: 1, updated_at: 1 }
    },
  })
  render(
    <TooltipProvider>
      <MemoriesPage store={createMemoriesStore()} offered used onUse={() => undefined} />
    </TooltipProvider>,
  )
  const box = screen.getByRole<HTMLTextAreaElement>('textbox')
  fireEvent.change(box, { target: { value: 'Lives in Oslo' } })
  fireEvent.submit(box.form!)
  fireEvent.change(box, { target: { value: 'Likes tea' } })
  await act(async () => stored.resolve())
  expect(await screen.findByText('Lives in Oslo')).toBeTruthy()
  expect(box.value).toBe('Likes tea')
})
