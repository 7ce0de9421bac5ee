// @vitest-environment jsdom
import '../../testing/browser-features.ts'
import '../../lib/strings/areas.ts'
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { fakeGateway } from '../../testing/fake-gateway.ts'
import { TooltipProvider } from '../../ui/floating/tooltip.tsx'
import { OwnServers } from './own/own-servers.ts'
import { ServersSection, type ServerSheet } from './servers-section.tsx'
import { createServersStore } from './servers-store.ts'

const url = 'http://127.0.0.1:9'
const SHARED = {
  url,
  path: 'openapi.json',
  type: 'openapi',
  auth_type: 'none',
  headers: {},
  key: '',
  config: { enable: true, function_name_filter_list: '', access_grants: [] },
  info: { id: 'city', name: 'City', description: '' },
  command: '',
  args: [],
  env: {},
  origin: 'stored',
}
const STATE = {
  id: 'city',
  name: 'City',
  status: 'failed',
  detail: 'The tool server answered 403 when it was asked for its description at http://a.',
  code: 'tool_server_refused',
  checked_at: 1,
  tools: [],
  changed_tools: [],
  fingerprint: null,
  sessions: 0,
}

function Section({ own, order }: { own: OwnServers; order: 'name' | 'state' }) {
  const [sheet, setSheet] = useState<ServerSheet | null>(null)
  const [shared] = useState(createServersStore)
  return (
    <TooltipProvider>
      <ServersSection
        shared={shared}
        mayShare
        usable={[]}
        own={{ servers: own, onChange: () => Promise.resolve() }}
        hasOwn
        isLoaded
        principals={{
          search: () => Promise.resolve([]),
          describe: () => Promise.resolve(new Map()),
        }}
        query=""
        order={order}
        sheet={sheet}
        onSheet={setSheet}
      />
    </TooltipProvider>
  )
}

interface Shown {
  readonly owned: readonly unknown[]
  readonly states: readonly unknown[]
  readonly shared?: readonly unknown[]
  readonly order?: 'name' | 'state'
}

function show({ owned, states, order = 'name', ...rest }: Shown) {
  const { shared = states.length > 0 ? [SHARED] : [] } = rest
  const gateway = fakeGateway({
    'GET /api/v1/configs/tool_servers': { TOOL_SERVER_CONNECTIONS: shared },
    'GET /api/v1/tool_servers': states,
  })
  const own = new OwnServers(() => true, {
    fetch: () => Promise.resolve(new Response('no', { status: 401 })),
    renew: () => undefined,
  })
  own.take(owned)
  render(<Section own={own} order={order} />)
  return gateway
}

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  localStorage.clear()
})

test('an own server that refuses its description leads to its key, with the details folded', async () => {
  show({
    owned: [{ url, path: 'openapi.json', info: { id: 'kitchen', name: 'Kitchen' } }],
    states: [],
  })
  await screen.findByText('Kitchen refused the request: it needs a key or a sign-in.')
  expect(screen.getByText(/status 401/).closest('details')?.open).toBe(false)
  fireEvent.click(screen.getByRole('button', { name: 'Enter key' }))
  const key = await screen.findByLabelText('API key')
  expect(document.activeElement).toBe(key)
})

test('so does a shared one', async () => {
  show({ owned: [], states: [STATE] })
  await screen.findByText('City refused the request: it needs a key or a sign-in.')
  expect(screen.getByText(/answered 403/).closest('details')?.open).toBe(false)
  fireEvent.click(screen.getByRole('button', { name: 'Enter key' }))
  const key = await screen.findByLabelText('API key')
  expect(document.activeElement).toBe(key)
})

test('any other failure says its own reason', async () => {
  show({ owned: [], states: [{ ...STATE, code: 'timed_out' }] })
  await screen.findByText(/answered 403/)
  expect(screen.queryByRole('button', { name: 'Enter key' })).toBeNull()
})

const TWO = {
  shared: [{ ...SHARED, info: { ...SHARED.info, id: 'air', name: 'Air' } }, SHARED],
  states: [{ ...STATE, id: 'air', name: 'Air', status: 'ok', detail: null, code: null }, STATE],
}
const names = (): (string | null)[] =>
  screen.getAllByRole('button', { name: /^(Air|City)$/ }).map((each) => each.textContent)

test('servers stand in the order of their names, or those with a problem first', async () => {
  show({ owned: [], ...TWO })
  await screen.findByText(/answered 403/)
  expect(names()).toEqual(['Air', 'City'])
  cleanup()
  show({ owned: [], ...TWO, order: 'state' })
  await screen.findByText(/answered 403/)
  expect(names()).toEqual(['City', 'Air'])
})

test('all servers are tested with one button, own and shared ones', async () => {
  const owned = [{ url, path: 'openapi.json', info: { id: 'kitchen', name: 'Kitchen' } }]
  const { calls } = show({ owned, ...TWO })
  await screen.findByText(/answered 403/)
  await screen.findByText('Kitchen refused the request: it needs a key or a sign-in.')
  fireEvent.click(screen.getByRole('button', { name: 'Test all' }))
  await vi.waitFor(() =>
    expect(
      calls.some(
        ({ path, query }) => path === '/api/v1/tool_servers' && query.get('refresh') === 'true',
      ),
    ).toBe(true),
  )
})

test('rows stand in for the servers until they are known', async () => {
  show({ owned: [], states: [] })
  expect(screen.getAllByText('Loading').length).toBeGreaterThan(0)
  await screen.findByText('No server yet.')
})
