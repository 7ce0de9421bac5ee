import { expect, it } from 'vitest'
import { useScim } from '../testing/use-scim.ts'

const { server, admin, call, addUser, patch, filterUsers } = useScim()

it('an account cannot have the e-mail address of another one as its userName', async () => {
  const address = 'not-provisioned@example.org'
  const reply = await server().call('POST', '/api/v1/auths/add', {
    token: admin(),
    body: { name: 'Grace', email: address, password: 'correct horse battery', role: 'user' },
  })
  const { id: graceId } = (await reply.json()) as { id: string }
  const refused = {
    status: 409,
    body: { scimType: 'uniqueness', detail: 'Another account has this userName.' },
  }
  const emails = [{ value: 'else@example.org', primary: true }]
  const userName = address.toUpperCase()
  expect(await call('POST', '/Users', { userName, emails })).toMatchObject(refused)
  const { id } = await addUser()
  const rename = { op: 'replace', path: 'userName', value: address }
  const keep = { op: 'replace', path: 'emails', value: emails }
  expect(await patch(`/Users/${id}`, keep, rename)).toMatchObject(refused)
  expect(await filterUsers(`userName eq "${address}"`)).toEqual([graceId])
  // The directory may take the account over under its own name.
  expect((await patch(`/Users/${graceId}`, rename)).status).toBe(200)
  expect(await filterUsers(`userName eq "${address}"`)).toEqual([graceId])
})
