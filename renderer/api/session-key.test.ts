// @vitest-environment jsdom
import { afterEach, expect, test, vi } from 'vitest'
import { fakeGateway, refusal } from '../testing/fake-gateway.ts'
import { call, endpoints } from './client.ts'
import { forgetSessionKey, readSessionKey } from './session-key.ts'
import { tryCall } from './try-call.ts'

const SIGN_IN = 'POST /api/v1/auths/signin'
const ada = { id: 'u1', name: 'Ada', email: 'ada@example.com', role: 'admin' }
const signIn = () =>
  call(endpoints.auths.signin, { body: { email: 'ada@example.com', password: 'x' } })
const answer = (key: string) => Response.json(ada, { headers: { 'X-Session-Key': key } })

afterEach(() => {
  vi.unstubAllGlobals()
  forgetSessionKey()
})

test('the half that a sign-in hands out goes along with every later call, also after another window got a new one', async () => {
  const { calls } = fakeGateway({ [SIGN_IN]: answer('session-1'), 'GET /api/config': {} })
  await signIn()
  expect(calls[0]!.headers.has('X-Session-Key')).toBe(false)
  await call(endpoints.system.config, {})
  localStorage.setItem('session-key', 'session-2')
  await call(endpoints.system.config, {})
  expect(calls.slice(1).map(({ headers }) => headers.get('X-Session-Key'))).toEqual([
    'session-1',
    'session-2',
  ])
})

test('a refused call changes nothing that is kept', async () => {
  fakeGateway({ [SIGN_IN]: answer('session-1') })
  await signIn()
  fakeGateway({ [SIGN_IN]: refusal(400, 'No.', { 'X-Session-Key': 'session-2' }) })
  await expect(signIn()).rejects.toThrow('No.')
  expect(readSessionKey()).toBe('session-1')
})

test('a call that is tried with a key of its own carries nothing of the session', async () => {
  fakeGateway({ [SIGN_IN]: answer('session-1') })
  await signIn()
  const { calls } = fakeGateway({ 'GET /api/models': {} })
  const tried = { method: 'GET', path: '/api/models', body: null }
  await tryCall({ ...tried, key: 'sk-1' }, AbortSignal.timeout(5000))
  await tryCall({ ...tried, key: null }, AbortSignal.timeout(5000))
  expect(
    calls.map(({ headers }) => [headers.get('Authorization'), headers.get('X-Session-Key')]),
  ).toEqual([
    ['Bearer sk-1', null],
    [null, 'session-1'],
  ])
})

test('where the browser lets nothing be kept, signing in says so instead of failing at the next call', async () => {
  const refuse = (): never => {
    throw new DOMException('The operation is insecure.', 'SecurityError')
  }
  vi.stubGlobal('localStorage', { getItem: refuse, setItem: refuse, removeItem: refuse })
  fakeGateway({ [SIGN_IN]: answer('session-1') })
  await expect(signIn()).rejects.toMatchObject({ code: 'storage_blocked' })
  expect(readSessionKey()).toBeNull()
})
