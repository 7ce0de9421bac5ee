import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import '../../lib/i18n.ts'
import { fakeGateway, type SeenCall } from '../../testing/fake-gateway.ts'
import { samplePrompt } from '../../testing/samples.ts'
import { TooltipProvider } from '../../ui/tooltip.tsx'
import { PromptHistory } from './prompt-history.tsx'
import { createPromptsStore } from './prompts-store.ts'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const version = (number: number) => ({
  id: `v${number}`,
  prompt_id: 'p1',
  parent_id: null,
  snapshot: {},
  commit_message: `Change ${number}`,
  user_id: 'u1',
  user: null,
  created_at: 1,
})

it('a double click on more versions reads one page', async () => {
  const gateway = fakeGateway({
    'GET /api/v1/prompts/id/p1/history': ({ query }: SeenCall) =>
      query.get('page') === '1' ? Array.from({ length: 30 }, (_, index) => version(31 - index)) : [version(1)],
    'GET /api/v1/prompts/id/p1/history/diff': { from: version(1), to: version(1), content_diff: [] },
  })
  const store = createPromptsStore()
  store.setState({ prompts: [samplePrompt({ version_id: 'v31' })] })
  render(
    <TooltipProvider>
      <PromptHistory store={store} promptId="p1" onClose={() => undefined} />
    </TooltipProvider>,
  )
  const more = await screen.findByRole('button', { name: 'Show older ones' })
  fireEvent.click(more)
  fireEvent.click(more)
  expect(await screen.findAllByText('Change 1')).toHaveLength(1)
  expect(gateway.calls.filter(({ query }) => query.get('page') === '2')).toHaveLength(1)
})
