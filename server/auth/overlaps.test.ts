import { expect, it, onTestFinished } from 'vitest'
import { bearer, startTestGateway } from '../testing/start-auth-gateway.ts'

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
