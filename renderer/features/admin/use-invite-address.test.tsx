// @vitest-environment jsdom
import '../../lib/strings/admin.ts'
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { fakeGateway } from '../../testing/fake-gateway.ts'
import { TooltipProvider } from '../../ui/floating/tooltip.tsx'
import { InvitationDialog } from './invitation-dialog.tsx'
import { useInviteAddress } from './use-invite-address.ts'

function Shown() {
  const { address, reach } = useInviteAddress()
  return <p>{`${reach ?? 'unknown'} ${address}`}</p>
}

const shared = (...urls: (string | null)[]) => ({
  on: true,
  name: null as string | null,
  port: 8643,
  addresses: urls.map((url) => ({
    address: 'a',
    interface: 'en0',
    chosen: true,
    url,
    fault: null,
  })),
})

function show(config: object, sharing: object): void {
  fakeGateway({
    'GET /api/v1/auths/admin/config': config,
    'GET /api/v1/sharing': sharing,
  })
  render(<Shown />)
}

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

test('the public address of the gateway comes first', async () => {
  show({ WEBUI_URL: 'https://chat.example.org' }, shared('https://192.168.0.2:8643'))
  expect(await screen.findByText('others https://chat.example.org')).toBeTruthy()
})

test('without one, it is an address shared with the network, preferably one to type', async () => {
  show({ WEBUI_URL: '' }, shared(null, 'https://[fd00::2]:8643', 'https://192.168.0.2:8643'))
  expect(await screen.findByText('network https://192.168.0.2:8643')).toBeTruthy()
})

test('a name that this computer announces comes before its numbers', async () => {
  const urls = ['https://[fd00::2]:8643', 'https://192.168.0.2:8643']
  show({ WEBUI_URL: '' }, { ...shared(...urls), name: 'desk.local' })
  expect(await screen.findByText('network https://desk.local:8643')).toBeTruthy()
})

test('without a name and IPv4, it is one of IPv6', async () => {
  show({ WEBUI_URL: '' }, shared('https://[fd00::2]:8643'))
  expect(await screen.findByText('network https://[fd00::2]:8643')).toBeTruthy()
})

test('an address of the gateway\u2019s own computer invites nobody else', async () => {
  show({ WEBUI_URL: 'http://localhost:8642' }, shared(null, 'https://127.0.0.1:8643'))
  expect(await screen.findByText(`here ${location.origin}/`)).toBeTruthy()
})

const bo = { name: 'Bo', email: 'bo@example.com', password: 'seven old boats' }

function invite(on: object) {
  const gateway = fakeGateway({
    'GET /api/v1/auths/admin/config': { WEBUI_URL: '' },
    'GET /api/v1/sharing': shared(null),
    'POST /api/v1/sharing/on': on,
  })
  render(
    <TooltipProvider>
      <InvitationDialog invited={bo} onClose={() => undefined} />
    </TooltipProvider>,
  )
  return gateway
}

test('an invitation that works here only lets other devices in first, and then names their address', async () => {
  const gateway = invite(shared('https://192.168.0.2:8643'))
  const letIn = await screen.findByRole('button', { name: 'Let other devices in' })
  expect(screen.getByRole('button', { name: 'Copy (only works here)' })).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Done' })).toBeNull()
  expect(screen.queryByRole('button', { name: 'Copy message' })).toBeNull()
  fireEvent.click(letIn)
  await screen.findByText(/Sign in at https:\/\/192\.168\.0\.2:8643/)
  expect(gateway.calls.filter(({ path }) => path === '/api/v1/sharing/on')).toHaveLength(1)
  expect(screen.queryByRole('button', { name: 'Let other devices in' })).toBeNull()
  expect(screen.getByRole('button', { name: 'Copy message' })).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Copy (only works here)' })).toBeNull()
})

test('where there is no network to let devices in from, the invitation says so and stays as it is', async () => {
  invite(shared(null))
  fireEvent.click(await screen.findByRole('button', { name: 'Let other devices in' }))
  await screen.findByText(/is in no private network now/)
  expect(screen.getByText(`Sign in at ${location.origin}/`, { exact: false })).toBeTruthy()
})
