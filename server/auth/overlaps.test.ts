import { expect, it, onTestFinished } from 'vitest'
import { bearer, startTestGateway } from '../testing/start-auth-gateway.ts'
import { startTestServer } from '../testing/start-server.ts'

/** Starts a gateway for the duration of the test, with an administrator and another user. */
async function start() {
  const gateway = await startTestGateway()
  onTestFinished(() => gateway.close())
  const admin = await gateway.signUp()
  const bob = await gateway.addUser(admin, 'bob')
  const signIn = (password: string) =>
    gateway.call('/api/v1/auths/signin', { body: { email: bob.email, password } })
  const changeTo = (password: string) =>
    gateway.call('/api/v1/auths/update/password', {
      headers: bearer(bob),
      body: { password: 'password of bob', new_password: password },
    })
  return { ...gateway, admin, bob, signIn, changeTo }
}

it('Of two changes of a password made at once with the same old one, one counts', async () => {
  const gateway = await start()
  const passwords = ['the first new one', 'the second new one']
  const replies = await Promise.all(passwords.map((password) => gateway.changeTo(password)))
  expect(replies.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([
    200, 400,
  ])
  const chosen = passwords[replies.findIndex(({ status }) => status === 200)]!
  expect((await gateway.signIn(chosen)).status).toBe(200)
})

it('A password that an administrator sets is not undone by a change that had begun before', async () => {
  const gateway = await start()
  const { users, bob } = gateway
  const ordered = await users.hashPassword('what the administrator says')
  const hashPassword = users.hashPassword.bind(users)
  users.hashPassword = async (password) => {
    const hash = await hashPassword(password)
    await users.update(bob.id, { passwordHash: ordered })
    return hash
  }
  expect((await gateway.changeTo('what the thief wants')).status).toBe(400)
  expect((await gateway.signIn('what the administrator says')).status).toBe(200)
})

it('Signing in to an account that is deleted meanwhile is refused', async () => {
  const gateway = await start()
  const findByPassword = gateway.users.findByPassword.bind(gateway.users)
  gateway.users.findByPassword = async (...given) => {
    const user = await findByPassword(...given)
    queueMicrotask(() => void gateway.users.remove(gateway.bob.id))
    return user
  }
  expect((await gateway.signIn('password of bob')).status).toBe(401)
})

it('A key that is used while it is being deleted is refused from then on', async () => {
  const server = await startTestServer({ environment: { ENABLE_API_KEYS: 'true' } })
  onTestFinished(() => server.close())
  const token = await server.signUp('Ada')
  const made = await server.call('POST', '/api/v1/auths/api_keys', { token, body: { name: 'a' } })
  const { id, api_key: key } = (await made.json()) as { id: string; api_key: string }
  const use = async () => (await server.call('GET', '/api/v1/auths/', { token: key })).status
  // The deletion waits until another writer is done.
  const [begun, over] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const writing = server.context.storage.transaction(async () => {
    begun.resolve()
    await over.promise
  })
  await begun.promise
  const removed = server.call('DELETE', `/api/v1/auths/api_keys/${id}`, { token })
  for (let uses = 0; uses < 10; uses += 1) await use()
  over.resolve()
  await writing
  expect((await removed).status).toBe(200)
  expect(await use()).toBe(401)
})

it('Of calls that replace the default key at once, one key is left', async () => {
  const server = await startTestServer({ environment: { ENABLE_API_KEYS: 'true' } })
  onTestFinished(() => server.close())
  const token = await server.signUp('Ada')
  const call = async (method: string, path: string) =>
    (await server.call(method, `/api/v1/auths/${path}`, { token })).json()
  for (let round = 0; round < 3; round += 1)
    await Promise.all(Array.from({ length: 6 }, () => call('POST', 'api_key')))
  expect(await call('GET', 'api_keys')).toHaveLength(1)
})
