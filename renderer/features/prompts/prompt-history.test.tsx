// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import '../../lib/i18n.ts'
import { fakeGateway, refusal, type SeenCall } from '../../testing/fake-gateway.ts'
import { samplePrompt } from '../../testing/samples.ts'
import { TooltipProvider } from '../../ui/floating/tooltip.tsx'
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
      query.get('page') === '1'
        ? Array.from({ length: 30 }, (_, index) => version(31 - index))
        : [version(1)],
    'GET /api/v1/prompts/id/p1/history/diff': {
      from: version(1),
      to: version(1),
      content_diff: [],
    },
  })
  const store = createPromptsStore()
  store.setState({ items: [samplePrompt({ version_id: 'v31' })] })
  render(
    <TooltipProvider>
      <PromptHistory store={store} promptId="p1" onClose={() => undefined} />
    </TooltipProvider>,
  )
  const more = await screen.findByRole('button', { name: 'Show older versions' })
  fireEvent.click(more)
  fireEvent.click(more)
  expect(await screen.findAllByText('Change 1')).toHaveLength(1)
  expect(gateway.calls.filter(({ query }) => query.get('page') === '2')).toHaveLength(1)
})

it('the comparison of one version is not shown as that of another that cannot be compared', async () => {
  const versions = [version(3), version(2), version(1)]
  fakeGateway({
    'GET /api/v1/prompts/id/p1/history': versions,
    'GET /api/v1/prompts/id/p1/history/diff': ({ query }: SeenCall) => {
      if (query.get('from_id') === 'v1') return refusal(503, 'The gateway is busy.')
      return {
        from: versions[1],
        to: versions[0],
        content_diff: [{ kind: 'added', text: 'Be brief.' }],
      }
    },
  })
  const store = createPromptsStore()
  store.setState({ items: [samplePrompt({ version_id: 'v3' })] })
  render(
    <TooltipProvider>
      <PromptHistory store={store} promptId="p1" onClose={() => undefined} />
    </TooltipProvider>,
  )
  fireEvent.click(await screen.findByRole('button', { name: /Change 2/ }))
  expect(await screen.findByText('Be brief.')).toBeTruthy()
  fireEvent.click(screen.getByRole('button', { name: /Change 1/ }))
  expect(await screen.findByText('The gateway is busy.')).toBeTruthy()
  expect(screen.queryByText('Be brief.')).toBeNull()
})
