// @vitest-environment jsdom
import { afterEach, expect, test, vi } from 'vitest'
import { fakeGateway, refusal } from '../../testing/fake-gateway.ts'
import {
  createSessionStore,
  loadSession,
  recheckSession,
  resumeSession,
  signIn,
  signInByDirectory,
  signOut,
} from './session-store.ts'

const SESSION = 'GET /api/v1/auths/'
const CONFIG = 'GET /api/config'
const config = { status: true, name: 'Chat Gateway', features: { auth: true } }
const ada = { id: 'u1', name: 'Ada', email: 'ada@example.com', role: 'admin' }

afterEach(() => vi.unstubAllGlobals())

test('at start the page finds out who is signed in', async () => {
  const store = createSessionStore()
  const gateway = fakeGateway({ [CONFIG]: config, [SESSION]: ada })
  await loadSession(store)
  expect(store.getState()).toMatchObject({ status: 'signed-in', user: ada })
  gateway.answers = { [CONFIG]: config, [SESSION]: { ...ada, role: 'pending' } }
  await loadSession(store)
  expect(store.getState().status).toBe('pending')
  gateway.answers = { [CONFIG]: config, [SESSION]: refusal(401, 'Not authenticated') }
  await loadSession(store)
  expect(store.getState()).toMatchObject({ status: 'signed-out', user: null })
})

test('a gateway that does not answer is said, not taken for signed out', async () => {
  const store = createSessionStore()
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')))
  await loadSession(store)
  expect(store.getState().status).toBe('unreachable')
  expect(store.getState().problem).toContain('cannot be reached')
})

test('a lost session keeps the person and the page, a single refused call changes nothing', async () => {
  const store = createSessionStore()
  const gateway = fakeGateway({ [CONFIG]: config, [SESSION]: ada })
  await loadSession(store)
  await recheckSession(store)
  expect(store.getState().status).toBe('signed-in')
  gateway.answers = { [SESSION]: refusal(401, 'Not authenticated') }
  await recheckSession(store)
  expect(store.getState()).toMatchObject({ status: 'expired', user: ada })
})

test('a window whose token is being renewed by a changed password stays signed in', async () => {
  const store = createSessionStore()
  const gateway = fakeGateway({ [CONFIG]: config, [SESSION]: ada })
  await loadSession(store)
  gateway.answers = { [SESSION]: refusal(401, 'Not authenticated') }
  const checked = recheckSession(store)
  await vi.waitFor(() =>
    expect(gateway.calls.filter((call) => call.path === '/api/v1/auths/')).toHaveLength(2),
  )
  gateway.answers = { [SESSION]: ada }
  await checked
  expect(store.getState()).toMatchObject({ status: 'signed-in', user: ada })
})

test('a window that asks to sign in goes on when the person signed in again in another one', async () => {
  const store = createSessionStore()
  const gateway = fakeGateway({ [CONFIG]: config, [SESSION]: ada })
  await loadSession(store)
  gateway.answers = { [SESSION]: refusal(401, 'Not authenticated') }
  await recheckSession(store)
  await resumeSession(store)
  expect(store.getState().status).toBe('expired')
  gateway.answers = { [SESSION]: ada }
  await resumeSession(store)
  expect(store.getState()).toMatchObject({ status: 'signed-in', user: ada })
})

test('an account that waits and lost its session is simply signed out', async () => {
  const store = createSessionStore()
  const gateway = fakeGateway({ [CONFIG]: config, [SESSION]: { ...ada, role: 'pending' } })
  await loadSession(store)
  gateway.answers = { [SESSION]: refusal(401, 'Not authenticated') }
  await recheckSession(store)
  expect(store.getState()).toMatchObject({ status: 'signed-out', user: null })
})

test('where nobody has to sign in, the page opens by itself, also after its session ended', async () => {
  const store = createSessionStore()
  const open = { ...config, features: { auth: false } }
  const gone = refusal(401, 'Not authenticated')
  const gateway = fakeGateway({ [CONFIG]: open, [SESSION]: gone, 'POST /api/v1/auths/signin': ada })
  await loadSession(store)
  expect(store.getState()).toMatchObject({ status: 'signed-in', user: ada })
  await recheckSession(store)
  expect(store.getState()).toMatchObject({ status: 'signed-in', user: ada })
  gateway.answers = {
    [CONFIG]: open,
    [SESSION]: gone,
    'POST /api/v1/auths/signin': refusal(403, 'For this machine alone.'),
  }
  await loadSession(store)
  expect(store.getState()).toMatchObject({
    status: 'signed-out',
    user: null,
    problem: 'For this machine alone.',
  })
})

test('signing in with a directory is signing in', async () => {
  const store = createSessionStore()
  const gateway = fakeGateway({ [CONFIG]: config, 'POST /api/v1/auths/ldap': ada })
  await signInByDirectory(store, { user: 'ada', password: 'secret' })
  expect(store.getState()).toMatchObject({ status: 'signed-in', user: ada })
  expect(gateway.calls[0]).toMatchObject({ path: '/api/v1/auths/ldap' })
})

test('signing in and out', async () => {
  const store = createSessionStore()
  const gateway = fakeGateway({
    [CONFIG]: config,
    'POST /api/v1/auths/signin': ada,
    'POST /api/v1/auths/signout': { status: true },
  })
  await signIn(store, { email: 'ada@example.com', password: 'secret' })
  expect(store.getState()).toMatchObject({ status: 'signed-in', config })
  await signOut(store)
  expect(store.getState()).toMatchObject({ status: 'signed-out', user: null })
  expect(gateway.calls.some((call) => call.path.endsWith('/signout'))).toBe(true)
})
