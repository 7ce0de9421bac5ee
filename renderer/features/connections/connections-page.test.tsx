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
