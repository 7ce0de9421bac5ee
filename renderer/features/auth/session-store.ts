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
 * `expired` keeps the user, so that the interface stays as it is (drafts included) while the person
 * signs in again.
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
  /** Whether the person signed out in this window, who is then not led to a provider at once. */
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

/** Asks who is signed in; null when nobody is. */
async function fetchUser(): Promise<SessionUser | null> {
  try {
    return await call(endpoints.auths.session, {})
  } catch (thrown) {
    if (isUnauthorized(thrown)) return null
    throw thrown
  }
}

/**
 * Asks again what is switched on here, after a setting changed; a failure leaves what was known,
 * and the window tells of a lost gateway anyway.
 */
export const refreshConfig = (store: SessionStore): Promise<void> =>
  call(endpoints.system.config, {}).then(
    (config) => store.setState({ config }),
    () => undefined,
  )

/** Whether nobody has to sign in here: any credentials give a session. */
const isOpen = ({ config }: SessionState): boolean => config?.features.auth === false

/** Whether a proxy in front says who somebody is: any credentials give a session of that person. */
export const isByProxy = ({ config }: SessionState): boolean =>
  config?.features['auth_trusted_header'] === true

/** Finds out at start whether somebody is signed in. */
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

/** With the link of a guest pass; why it does not open is shown in front of the form. */
async function enterAsGuest(store: SessionStore, secret: string): Promise<void> {
  try {
    await enterAs(store, call(endpoints.sharing.enter, { body: { secret } }))
  } catch (thrown) {
    store.setState({ status: 'signed-out', user: null, problem: toSentence(thrown) })
  }
}

/** Changes of the password under way; each ends the session and brings a new one in its answer. */
const renewals = new WeakMap<SessionStore, Promise<unknown>>()
const RENEWAL_MILLISECONDS = 500

/** Changes the password; the gateway ends every other session and gives this one a new token. */
export async function changePassword(
  store: SessionStore,
  form: { password: string; new_password: string },
): Promise<void> {
  const renewal = call(endpoints.auths.updatePassword, { body: form })
  renewals.set(store, renewal)
  await renewal
}

/**
 * Another window of this browser may just be getting the new token of a changed password: nobody is
 * asked about twice.
 */
async function fetchRenewedUser(store: SessionStore): Promise<SessionUser | null> {
  await renewals.get(store)?.catch(() => undefined)
  const user = await fetchUser()
  if (user) return user
  await new Promise((resolve) => setTimeout(resolve, RENEWAL_MILLISECONDS))
  return fetchUser()
}

/** After a refused call: is only this call not allowed, or is the session gone? */
export async function recheckSession(store: SessionStore): Promise<void> {
  const before = store.getState()
  if (before.status !== 'signed-in' && before.status !== 'pending') return
  const user = await fetchRenewedUser(store)
  // Meanwhile the person may have signed out, or in again.
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

/** Goes on without a form when somebody signed in again in another window. */
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
  // Another person signed in over an expired session: nothing of the first one may stay on the
  // screen.
  if (previous && previous.id !== session.id) location.assign(chatPath(null))
  await refreshConfig(store)
}

export const signIn = (
  store: SessionStore,
  input: { email: string; password: string; setup_code?: string },
): Promise<void> => enterAs(store, call(endpoints.auths.signin, { body: input }))

/** With the account people have in the directory of their organisation. */
export const signInByDirectory = (
  store: SessionStore,
  input: { user: string; password: string },
): Promise<void> => enterAs(store, call(endpoints.ldap.signin, { body: input }))

/** Opens a gateway where nobody fills in a form; why it does not open is shown in front of it. */
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
 * Ends the session here and at the gateway, forgets what the page knew, and leaves for where the
 * gateway leads.
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

/** Whether this is the account behind a guest pass. */
export const isGuest = (state: SessionState): boolean => state.user?.guest === true

export const isAdmin = (state: SessionState): boolean => state.user?.role === 'admin'
