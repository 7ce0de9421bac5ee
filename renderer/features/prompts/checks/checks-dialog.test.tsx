// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import '../../../lib/i18n.ts'
import { fakeGateway } from '../../../testing/fake-gateway.ts'
import { samplePrompt } from '../../../testing/samples.ts'
import { TooltipProvider } from '../../../ui/floating/tooltip.tsx'
import { ChecksDialog } from './checks-dialog.tsx'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

it('a double click runs the checks once', async () => {
  const expectations = [{ kind: 'contains', text: 'Hello' }]
  const checks = { cases: [{ name: 'One', values: {}, expectations }] }
  const gateway = fakeGateway({
    'GET /api/v1/prompts/id/p1/checks': checks,
    'GET /api/v1/prompts/id/p1/history': [],
    'POST /api/v1/prompts/id/p1/checks': checks,
    'POST /api/v1/prompts/id/p1/checks/run': () =>
      new Response('data: {"type":"begun","total":1}\n\n'),
  })
  render(
    <TooltipProvider>
      <ChecksDialog
        prompt={samplePrompt({ write_access: true })}
        models={[{ id: 'm1', name: 'Model' }]}
        onClose={() => undefined}
      />
    </TooltipProvider>,
  )
  await screen.findByDisplayValue('One')
  const button = screen.getByRole('button', { name: /run/i })
  fireEvent.click(button)
  fireEvent.click(button)
  const runs = () => gateway.calls.filter(({ path }) => path.endsWith('/run'))
  await waitFor(() => expect(runs().length).toBeGreaterThan(0))
  await waitFor(() => expect(screen.getByText(/broke off|stopped/i)).toBeDefined())
  expect(runs()).toHaveLength(1)
})
