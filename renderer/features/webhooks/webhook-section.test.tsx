// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import '../../lib/i18n.ts'
import { fakeGateway } from '../../testing/fake-gateway.ts'
import { TooltipProvider } from '../../ui/floating/tooltip.tsx'
import { WebhookSection } from './webhook-section.tsx'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const WEBHOOK = { url: 'https://a.example/', has_secret: false, waiting: 0, last_result: null }

it('a new secret does not write back the address that another tab has changed', async () => {
  const gateway = fakeGateway({
    'GET /api/v1/webhooks/gateway': WEBHOOK,
    'POST /api/v1/webhooks/gateway': { ...WEBHOOK, url: 'https://b.example/', has_secret: true },
  })
  render(
    <TooltipProvider>
      <WebhookSection which="gateway" />
    </TooltipProvider>,
  )
  await screen.findByDisplayValue('https://a.example/')
  fireEvent.change(document.querySelector('input[type=password]')!, {
    target: { value: 'x'.repeat(40) },
  })
  fireEvent.click(screen.getByRole('button', { name: 'Save' }))
  await screen.findByDisplayValue('https://b.example/')
  const [saved] = gateway.calls.filter(({ method }) => method === 'POST')
  expect(saved!.body).toEqual({ secret: 'x'.repeat(40) })
})
