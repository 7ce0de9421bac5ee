import { createStore, type StoreApi } from 'zustand/vanilla'
import type { SessionUser } from '#contract/auths.ts'
import type { GatewayConfig } from '#contract/system.ts'
import { toSentence } from '../../api/api-error.ts'
import { ApiError, call, endpoints } from '../../api/client.ts'
import { forgetSessionKey } from '../../api/session-key.ts'
import { takeGuestSecret } from '../../lib/guest-link.ts'
import { translate } from '../../lib/i18n.ts'
import { chatPath } from '../../lib/router.ts'
import { finishProviderSignIn } from './provider-session.ts'

/**
 * `expired` keeps the user, so that the UI including drafts stays as it is while the user signs in
 * again.
 */
export type SessionStatus =
  | 'loading'
  | 'unreachable'
  | 'signed-out'
  | 'pending'
  | 'signed-in'
  | 'expired'

export interface SessionState {
  readonly status: SessionStatus
  readonly user: SessionUser | null
  readonly config: GatewayConfig | null
  readonly problem: string | null
  /**
   * True if the user signed out in this window, which suppresses the automatic redirect to a
   * provider.
   */
  readonly hasLeft: boolean
}

export type SessionStore = StoreApi<SessionState>

export const createSessionStore = (): SessionStore =>
  createStore<SessionState>(() => ({
    status: 'loading',
    user: null,
    config: null,
    problem: null,
    hasLeft: false,
  }))

const enter = (store: SessionStore, user: SessionUser): void =>
  store.setState({ user, status: user.role === 'pending' ? 'pending' : 'signed-in', problem: null })

const isUnauthorized = (thrown: unknown): boolean =>
  thrown instanceof ApiError && thrown.status === 401

/** Resolves with the signed-in user; null if there is none. */
async function fetchUser(): Promise<SessionUser | null> {
  try {
    return await call(endpoints.auths.session, {})
  } catch (thrown) {
    if (isUnauthorized(thrown)) return null
    throw thrown
  }
}

/**
 * Reloads the enabled features after a setting changed; on failure the previous ones are kept, and
 * the window reports a lost gateway anyway.
 */
export const refreshConfig = (store: SessionStore): Promise<void> =>
  call(endpoints.system.config, {}).then(
    (config) => store.setState({ config }),
    () => undefined,
  )

/** True if no sign-in is needed: any credentials give a session. */
const isOpen = ({ config }: SessionState): boolean => config?.features.auth === false

/** True if a proxy identifies the user: any credentials give a session of that user. */
export const isByProxy = ({ config }: SessionState): boolean =>
  config?.features['auth_trusted_header'] === true

/** Determines at startup whether a user is signed in. */
export async function loadSession(store: SessionStore): Promise<void> {
  const secret = takeGuestSecret()
  try {
    const problem = await finishProviderSignIn()
    const [config, user] = await Promise.all([call(endpoints.system.config, {}), fetchUser()])
    store.setState({ config })
    if (user) enter(store, user)
    else if (secret !== null) await enterAsGuest(store, secret)
    else if (isOpen(store.getState()) || isByProxy(store.getState())) await enterWithoutForm(store)
    else store.setState({ status: 'signed-out', user: null, problem })
  } catch (thrown) {
    store.setState({ status: 'unreachable', problem: toSentence(thrown) })
  }
}

/** Signs in with a guest pass link; a failure is shown above the form. */
async function enterAsGuest(store: SessionStore, secret: string): Promise<void> {
  try {
    await enterAs(store, call(endpoints.sharing.enter, { body: { secret } }))
  } catch (thrown) {
    store.setState({ status: 'signed-out', user: null, problem: toSentence(thrown) })
  }
}

/** Password changes in progress; each ends the session and returns a new one. */
const renewals = new WeakMap<SessionStore, Promise<unknown>>()
const RENEWAL_MILLISECONDS = 500

/** Changes the password; the gateway ends all other sessions and gives this one a new token. */
export async function changePassword(
  store: SessionStore,
  form: { password: string; new_password: string },
): Promise<void> {
  const renewal = call(endpoints.auths.updatePassword, { body: form })
  renewals.set(store, renewal)
  await renewal
}

/**
 * Another window of this browser may just be receiving the new token of a changed password, so a
 * missing user is checked twice.
 */
async function fetchRenewedUser(store: SessionStore): Promise<SessionUser | null> {
  await renewals.get(store)?.catch(() => undefined)
  const user = await fetchUser()
  if (user) return user
  await new Promise((resolve) => setTimeout(resolve, RENEWAL_MILLISECONDS))
  return fetchUser()
}

/**
 * Determines after a refused call whether only that call is forbidden, or the session has ended.
 */
export async function recheckSession(store: SessionStore): Promise<void> {
  const before = store.getState()
  if (before.status !== 'signed-in' && before.status !== 'pending') return
  const user = await fetchRenewedUser(store)
  // The user may have signed out or in again meanwhile.
  if (store.getState().status !== before.status) return
  if (user) enter(store, user)
  else if (isGuest(before))
    store.setState({ status: 'signed-out', user: null, problem: translate('auth.guest.over') })
  else if (isOpen(before) || isByProxy(before)) await enterWithoutForm(store)
  else
    store.setState(
      before.status === 'pending' ? { status: 'signed-out', user: null } : { status: 'expired' },
    )
}

/** Continues without a form after the user signed in again in another window. */
export async function resumeSession(store: SessionStore): Promise<void> {
  const before = store.getState()
  if (before.status !== 'expired') return
  const user = await fetchUser()
  if (!user || store.getState().status !== 'expired') return
  if (before.user?.id === user.id) enter(store, user)
  else location.assign(chatPath(null))
}

async function enterAs(store: SessionStore, signedIn: Promise<SessionUser>): Promise<void> {
  const previous = store.getState().user
  const session = await signedIn
  enter(store, session)
  // Another user signed in over an expired session: no content of the first one may stay on screen.
  if (previous && previous.id !== session.id) location.assign(chatPath(null))
  await refreshConfig(store)
}

export const signIn = (
  store: SessionStore,
  input: { email: string; password: string; setup_code?: string },
): Promise<void> => enterAs(store, call(endpoints.auths.signin, { body: input }))

/** Signs in with an account of the organisation's directory. */
export const signInByDirectory = (
  store: SessionStore,
  input: { user: string; password: string },
): Promise<void> => enterAs(store, call(endpoints.ldap.signin, { body: input }))

/** Signs in to a gateway without a sign-in form; a failure is shown in its place. */
export async function enterWithoutForm(store: SessionStore, setupCode?: string): Promise<void> {
  try {
    await signIn(store, { email: '', password: '', ...(setupCode && { setup_code: setupCode }) })
  } catch (thrown) {
    store.setState({ status: 'signed-out', user: null, problem: toSentence(thrown) })
  }
}

export async function signUp(
  store: SessionStore,
  input: { name: string; email: string; password: string; setup_code?: string },
): Promise<void> {
  enter(store, await call(endpoints.auths.signup, { body: input }))
  await refreshConfig(store)
}

/**
 * Ends the session here and at the gateway, clears the page's state, and navigates to the target
 * given by the gateway.
 */
export async function signOut(store: SessionStore): Promise<void> {
  const { redirect_url: leadsTo } = await call(endpoints.auths.signout, {})
  forgetSessionKey()
  store.setState({ status: 'signed-out', user: null, problem: null, hasLeft: true })
  if (leadsTo !== undefined) location.assign(leadsTo)
}

export async function renameUser(store: SessionStore, name: string): Promise<void> {
  store.setState({ user: await call(endpoints.auths.updateProfile, { body: { name } }) })
}

/** True for the account of a guest pass. */
export const isGuest = (state: SessionState): boolean => state.user?.guest === true

export const isAdmin = (state: SessionState): boolean => state.user?.role === 'admin'
