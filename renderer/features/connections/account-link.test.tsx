// @vitest-environment jsdom
import { cleanup, render, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { fakeGateway } from '../../testing/fake-gateway.ts'
import { AccountLink } from './account-link.tsx'
import { accountPageOf, PROVIDER_PRESETS, RUNTIME_PRESETS } from './presets.ts'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const connections = [
  { name: 'Work', url: 'https://api.openai.com/v1' },
  { name: 'Grok', url: 'https://api.x.ai/v1' },
  { name: 'Mine', url: 'http://127.0.0.1:8000/v1' },
]

it.each([
  [
    'Work',
    'Billing at OpenAI',
    'https://platform.openai.com/settings/organization/billing/overview',
  ],
  ['Grok', 'Account at xAI', 'https://console.x.ai/'],
])('the credit of the connection %s leads to “%s”, in another window', async (name, label, url) => {
  fakeGateway({ 'GET /api/v1/connections': connections })
  render(<AccountLink connection={name} />)
  const link = await screen.findByRole<HTMLAnchorElement>('link', { name: label })
  expect(link.href).toBe(url)
  expect(link.target).toBe('_blank')
  expect(link.rel).toContain('noreferrer')
})

it.each(['Mine', 'Gone'])(
  'nothing is offered for %s, whose provider is not known',
  async (name) => {
    const { calls } = fakeGateway({ 'GET /api/v1/connections': connections })
    const { container } = render(<AccountLink connection={name} />)
    await waitFor(() => expect(calls.length).toBe(1))
    expect(container.innerHTML).toBe('')
  },
)

it('every provider has a page, and programs of one’s own have none', () => {
  for (const preset of PROVIDER_PRESETS)
    expect(accountPageOf(preset)?.url).toMatch(/^https:\/\/[a-z]/)
  for (const preset of RUNTIME_PRESETS) expect(accountPageOf(preset)).toBeNull()
})
