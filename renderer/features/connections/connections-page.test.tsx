// @vitest-environment jsdom
import '../../testing/browser-features.ts'
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { connectionPath, currentPath, navigate, parseRoute } from '../../lib/router.ts'
import { fakeGateway } from '../../testing/fake-gateway.ts'
import { sampleConnection } from '../../testing/samples.ts'
import { TooltipProvider } from '../../ui/floating/tooltip.tsx'
import { ConnectionsPage } from './connections-page.tsx'
import { createConnectionsStore } from './connections-store.ts'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

function show(about: string): void {
  render(
    <TooltipProvider>
      <ConnectionsPage store={createConnectionsStore()} onChanged={() => undefined} about={about} />
    </TooltipProvider>,
  )
}

test('a link opens the form of its connection, at the key', async () => {
  fakeGateway({ 'GET /api/v1/connections': [sampleConnection({ id: 'c1', name: 'Work' })] })
  const path = connectionPath('c1')
  expect(parseRoute('/settings/connections', path.slice(path.indexOf('?')))).toEqual({
    name: 'settings',
    page: 'connections',
    about: 'c1',
  })
  navigate(path)
  show('c1')
  await screen.findByRole('dialog', { name: 'Edit “Work”' })
  expect(document.activeElement).toBe(screen.getByLabelText('API key'))
  fireEvent.keyDown(document.activeElement!, { key: 'Escape' })
  expect(currentPath()).toBe('/settings/connections')
})

test('a link to a connection that is gone opens nothing', async () => {
  fakeGateway({ 'GET /api/v1/connections': [sampleConnection({ id: 'c1', name: 'Work' })] })
  show('c2')
  await screen.findByRole('button', { name: 'Work' })
  expect(screen.queryByRole('dialog')).toBeNull()
})

const REFUSED = {
  status: 'failed',
  detail: 'The provider rejected the API key.',
  code: 'upstream_refused_key',
  model_count: 0,
  checked_at: Math.floor(new Date().setHours(0, 1, 0, 0) / 1000),
} as const

const works = { ok: true, detail: 'ok', version: null, models: ['large'], milliseconds: 12 }

test('a refused key is named above its field, and the other fields are folded', async () => {
  fakeGateway({ 'GET /api/v1/connections': [sampleConnection({ id: 'c1', state: REFUSED })] })
  show('c1')
  const dialog = await screen.findByRole('dialog', { name: 'Edit “North”' })
  expect(dialog.textContent).toMatch(/North refused the stored key \(today, 12:01.AM\)\./)
  expect(screen.getByLabelText('API key').closest('details')).toBeNull()
  expect(screen.getByLabelText('Address').closest('details')).not.toBeNull()
  expect(dialog.textContent).toContain('Stored now: sk-a…z.')
})

test('saving stays in the bar of the dialog, and a repaired connection leads back to the chat', async () => {
  const gateway = fakeGateway({
    'GET /api/v1/connections': [sampleConnection({ id: 'c1', state: REFUSED })],
    'POST /api/v1/connections/verify': { ...works, ok: false, detail: 'No.' },
    'POST /api/v1/connections/c1': sampleConnection({ id: 'c1' }),
  })
  show('c1')
  const save = await screen.findByRole('button', { name: 'Save and test' })
  expect(save.closest('form')).toBeNull()
  fireEvent.change(screen.getByLabelText('API key'), { target: { value: 'sk-new' } })
  fireEvent.click(save)
  await screen.findByRole('button', { name: 'Save anyway' })
  expect(gateway.calls.some(({ path }) => path.endsWith('/c1'))).toBe(false)
  gateway.answers['POST /api/v1/connections/verify'] = works
  fireEvent.change(screen.getByLabelText('API key'), { target: { value: 'sk-newer' } })
  fireEvent.click(screen.getByRole('button', { name: 'Save and test' }))
  await screen.findByRole('dialog', { name: '“North” works' })
  expect(gateway.calls.findLast(({ path }) => path.endsWith('/c1'))?.body).toMatchObject({
    key: 'sk-newer',
  })
  fireEvent.click(screen.getByRole('button', { name: 'Back to the chat' }))
  expect(currentPath()).toBe('/')
})

test('a short list suggests providers that are not connected, and begins with the chosen one', async () => {
  fakeGateway({
    'GET /api/v1/connections': [sampleConnection({ id: 'c1', name: 'OpenAI' })],
  })
  show('')
  const suggested = await screen.findByRole('region', { name: 'Connect another provider' })
  expect(suggested.textContent).not.toContain('OpenAI')
  fireEvent.click(screen.getByRole('button', { name: 'Anthropic' }))
  await screen.findByRole('dialog', { name: 'Add connection' })
  expect(screen.getByLabelText('API key')).toBe(document.activeElement)
  expect(screen.getByText('https://api.anthropic.com/v1')).toBeTruthy()
})
