import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Session, SessionInfo } from '#contract/auths.ts'
import {
  ADMIN,
  bearer,
  startTestGateway,
  type TestGateway,
  SOME_REQUEST,
} from '../testing/start-auth-gateway.ts'

let gateway: TestGateway
let first: Session
beforeEach(async () => {
  gateway = await startTestGateway()
  first = await gateway.signUp()
})
afterEach(() => gateway.close())

const PATH = '/api/v1/auths/sessions'
const signIn = async (agent: string): Promise<Session> =>
  (await gateway.call('/api/v1/auths/signin', { body: ADMIN, headers: { 'user-agent': agent } }))
    .body as Session
const list = async (session: Session): Promise<SessionInfo[]> =>
  (await gateway.call(PATH, { headers: bearer(session) })).body as SessionInfo[]
const end = (session: Session, path = PATH) =>
  gateway.call(path, { method: 'DELETE', headers: bearer(session) })

it('shows where the caller is signed in and which session this is', async () => {
  const second = await signIn('curl/8.5')
  const sessions = await list(second)
  expect(sessions).toHaveLength(2)
  expect(sessions.filter(({ current }) => current)).toMatchObject([
    { user_agent: 'curl/8.5', address: '127.0.0.1', expires_at: second.expires_at },
  ])
  expect(JSON.stringify(sessions)).not.toContain(second.token)
})

it('ends one session at once, on sockets too', async () => {
  const second = await signIn('curl/8.5')
  const live = await gateway.auth.liveCallers.byToken(first.token, SOME_REQUEST)
  const other = (await list(second)).find(({ current }) => !current)!
  expect((await end(second, `${PATH}/${other.id}`)).body).toBe(true)
  expect((await gateway.call(PATH, { headers: bearer(first) })).status).toBe(401)
  expect(await live!.isValid()).toBe(false)
  expect((await end(second, `${PATH}/${other.id}`)).status).toBe(404)
  expect(await list(second)).toHaveLength(1)
})

it('ends all other sessions and keeps this one', async () => {
  const second = await signIn('curl/8.5')
  const third = await signIn('curl/8.6')
  expect((await end(third)).body).toEqual({ ended: 2 })
  expect((await gateway.call(PATH, { headers: bearer(second) })).status).toBe(401)
  expect(await list(third)).toHaveLength(1)
})

it('knows nothing of the sessions of others', async () => {
  const other = await gateway.addUser(first, 'bo')
  const [session] = await list(first)
  expect(await list(other)).toHaveLength(1)
  expect((await end(other, `${PATH}/${session!.id}`)).status).toBe(404)
  expect((await gateway.call(PATH, { headers: bearer(first) })).status).toBe(200)
})

it('shows no session that signing out or a new password ended', async () => {
  const second = await signIn('curl/8.5')
  await gateway.call('/api/v1/auths/signout', { method: 'POST', headers: bearer(second) })
  expect(await list(first)).toHaveLength(1)
  await gateway.users.revokeSessions(first.id)
  expect(await list(await signIn('curl/8.5'))).toHaveLength(1)
})
