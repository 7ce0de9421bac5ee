// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import '../../testing/browser-features.ts'
import '../../lib/i18n.ts'
import { fakeGateway, type SeenCall } from '../../testing/fake-gateway.ts'
import { Toaster } from '../../ui/floating/toast.tsx'
import { TooltipProvider } from '../../ui/floating/tooltip.tsx'
import { ArenaPage } from './arena-page.tsx'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const arena = (id: string) => ({ id, name: id, meta: {} })
const principals = { search: () => Promise.resolve([]), describe: () => Promise.resolve(new Map()) }

it('taking a deletion back leaves what was made since', async () => {
  let config = {
    ENABLE_EVALUATION_ARENA_MODELS: true,
    EVALUATION_ARENA_MODELS: [arena('North'), arena('South')],
  }
  fakeGateway({
    'GET /api/v1/evaluations/config': () => config,
    'POST /api/v1/evaluations/config': ({ body }: SeenCall) =>
      (config = { ...config, ...(body as object) }),
  })
  render(
    <TooltipProvider>
      <ArenaPage models={[]} principals={principals} onChanged={() => undefined} />
      <Toaster />
    </TooltipProvider>,
  )
  fireEvent.click(await screen.findByRole('button', { name: /North/ }))
  fireEvent.click(screen.getByRole('button', { name: 'Delete' }))
  const undo = await screen.findByRole('button', { name: 'Undo' })
  config = {
    ...config,
    EVALUATION_ARENA_MODELS: [...config.EVALUATION_ARENA_MODELS, arena('West')],
  }
  fireEvent.click(undo)
  await vi.waitFor(() =>
    expect(config.EVALUATION_ARENA_MODELS.map(({ id }) => id)).toEqual(['North', 'South', 'West']),
  )
})
