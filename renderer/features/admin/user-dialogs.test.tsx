// @vitest-environment jsdom
import '../../lib/strings/admin.ts'
import { cleanup, fireEvent, render, screen, within } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { fakeGateway } from '../../testing/fake-gateway.ts'
import { TooltipProvider } from '../../ui/floating/tooltip.tsx'
import { UserDialog } from './user-dialogs.tsx'
import { createUsersStore } from './users-store.ts'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

test('a person is added with a generated password that can be read and copied, under one name', async () => {
  const gateway = fakeGateway({
    'POST /api/v1/auths/add': { token: 't', id: 'u2', name: 'Bo', email: 'bo@example.com' },
    'GET /api/v1/users/': { users: [], total: 0 },
    'GET /api/v1/groups/': [],
  })
  const handleInvited = vi.fn()
  render(
    <TooltipProvider>
      <UserDialog
        store={createUsersStore()}
        user={null}
        fixedRole={false}
        onClose={() => undefined}
        onInvited={handleInvited}
      />
    </TooltipProvider>,
  )
  const form = within(await screen.findByRole('dialog', { name: 'Add person' }))
  const password = form.getByLabelText<HTMLInputElement>('Password')
  expect(password.value).toMatch(/^(\w{4}-){3}\w{4}$/)
  expect(password.type).toBe('text')
  expect(form.getByRole('button', { name: 'Copy password' })).toBeTruthy()
  expect(form.queryByRole('button', { name: 'Let other devices in' })).toBeNull()
  fireEvent.change(form.getByLabelText('Name'), { target: { value: 'Bo' } })
  fireEvent.change(form.getByLabelText('Email'), { target: { value: 'bo@example.com' } })
  fireEvent.submit(password.form!)
  await vi.waitFor(() => expect(handleInvited).toHaveBeenCalled())
  expect(handleInvited.mock.calls[0]?.[0]).toMatchObject({ name: 'Bo', password: password.value })
  const sent = gateway.calls.find(({ path }) => path === '/api/v1/auths/add')
  expect(sent?.body).toMatchObject({ email: 'bo@example.com', password: password.value })
})
