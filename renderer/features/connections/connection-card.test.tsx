// @vitest-environment jsdom
import '../../testing/browser-features.ts'
import '../../lib/strings/connections.ts'
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import type { Connection } from '#contract/connections.ts'
import { sampleConnection } from '../../testing/samples.ts'
import { TooltipProvider } from '../../ui/floating/tooltip.tsx'
import { ConnectionCard } from './connection-card.tsx'

const REFUSED = {
  status: 'failed',
  detail: 'The provider rejected the API key.',
  code: 'upstream_refused_key',
  model_count: 0,
  checked_at: 1,
} as const

function show(part: Partial<Connection>) {
  const onEdit = vi.fn()
  const nothing = (): void => undefined
  render(
    <TooltipProvider>
      <ConnectionCard
        connection={sampleConnection(part)}
        busy={false}
        onEdit={onEdit}
        onRemove={nothing}
        onCheck={nothing}
      />
    </TooltipProvider>,
  )
  return onEdit
}

afterEach(cleanup)

test('a connection of the environment says once where its address is set, and can be edited', () => {
  const onEdit = show({ origin: 'environment', name: 'models.lan', url: 'http://models.lan/v1' })
  const row = screen.getByRole('listitem')
  expect(row.textContent).toContain('Address from the environment: OPENAI_API_BASE_URLS')
  expect(row.textContent).not.toContain('change it there')
  expect(row.textContent).not.toMatch(/from the environment(?!:)/)
  fireEvent.click(screen.getByRole('button', { name: /^Edit “/ }))
  expect(onEdit).toHaveBeenCalledOnce()
})

test('a refused key is named in its row', () => {
  show({ state: REFUSED })
  expect(screen.getByRole('listitem').textContent).toContain('key refused')
})

test('any other failure is not said to be about the key', () => {
  show({ state: { ...REFUSED, code: 'upstream_refused_connection' } })
  expect(screen.getByRole('listitem').textContent).toContain('not working')
  expect(screen.getByRole('listitem').textContent).not.toContain('key refused')
})

test('a runtime that was found by itself has nothing to edit', () => {
  show({ origin: 'found' })
  expect(screen.queryByRole('button', { name: /^Edit/ })).toBeNull()
})

test.each([
  ['everybody', 'Models open to: everyone signed in'],
  ['granted', 'Models open to: administrators and people you choose'],
] as const)('access %s is said of the models', (access, text) => {
  show({ access })
  expect(screen.getByText(text)).toBeTruthy()
})
