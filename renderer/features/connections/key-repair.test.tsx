// @vitest-environment jsdom
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { fakeGateway } from '../../testing/fake-gateway.ts'
import { TooltipProvider } from '../../ui/floating/tooltip.tsx'
import { KeyRepair } from './key-repair.tsx'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const connection = {
  id: 'work',
  kind: 'compatible',
  name: 'Work',
  url: 'https://api.example/v1',
  enabled: true,
  prefix_id: 'w',
  model_ids: ['one'],
  headers: { 'x-team': 'a' },
  timeout_seconds: 30,
  connection_type: null,
  access: 'everybody',
  use_proxy: false,
  trusted_certificate: null,
}

const onRepaired = vi.fn()
beforeEach(() => onRepaired.mockReset())

const body = expect.objectContaining({
  key: 'sk-new',
  name: 'Work',
  prefix_id: 'w',
  model_ids: ['one'],
  headers: { 'x-team': 'a' },
  timeout_seconds: 30,
  access: 'everybody',
  use_proxy: false,
}) as unknown

function show(answers: Record<string, unknown>, connections: readonly object[] = [connection]) {
  const gateway = fakeGateway({ 'GET /api/v1/connections': connections, ...answers })
  render(
    <TooltipProvider>
      <KeyRepair connection="Work" onRepaired={onRepaired}>
        <button type="button">Settings</button>
      </KeyRepair>
    </TooltipProvider>,
  )
  return gateway
}

async function enter(key: string): Promise<HTMLInputElement> {
  const field = screen.getByLabelText<HTMLInputElement>('API key')
  const save = screen.getByRole('button', { name: 'Save and retry' })
  fireEvent.change(field, { target: { value: key } })
  await waitFor(() => expect(save.getAttribute('aria-disabled')).toBe('false'))
  fireEvent.click(save)
  return field
}

const check = (parts: object) => ({
  ok: true,
  detail: '',
  version: null,
  models: ['one'],
  milliseconds: 1,
  ...parts,
})

it('tries the new key, stores it and nothing else of the connection, then asks again', async () => {
  const { calls } = show({
    'POST /api/v1/connections/verify': check({}),
    'POST /api/v1/connections/work': connection,
  })
  const field = await enter('sk-new')
  expect(field.type).toBe('password')
  expect(screen.getByText('This replaces the key of Work for everyone who uses it.')).toBeTruthy()
  await waitFor(() => expect(onRepaired).toHaveBeenCalledTimes(1))
  expect(calls.filter(({ method }) => method === 'POST')).toEqual([
    expect.objectContaining({
      body: expect.objectContaining({ id: 'work', key: 'sk-new' }) as unknown,
    }),
    expect.objectContaining({ body }),
  ])
  expect(field.value).toBe('')
})

it('says so when the new key is rejected as well, and stores nothing', async () => {
  const { calls } = show({
    'POST /api/v1/connections/verify': check({ ok: false, detail: 'The key was refused.' }),
  })
  const field = await enter('sk-new')
  await waitFor(() => expect(screen.getByRole('alert').textContent).toContain('was refused'))
  expect(onRepaired).not.toHaveBeenCalled()
  expect(calls.map(({ path }) => path)).not.toContain('/api/v1/connections/work')
  expect(field.value).toBe('sk-new')
  fireEvent.change(field, { target: { value: 'sk-newer' } })
  expect(screen.getByRole('alert').textContent).toBe('')
})

it('does not guess between connections of one name, and leads to them instead', async () => {
  show({}, [connection, { ...connection, id: 'other' }])
  expect(await screen.findByRole('button', { name: 'Open connection settings' })).toBeTruthy()
  expect(screen.queryByLabelText('API key')).toBeNull()
  expect(screen.queryByText(/This replaces the key/)).toBeNull()
  expect(screen.getByRole('button', { name: 'Settings' })).toBeTruthy()
})
