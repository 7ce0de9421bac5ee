import { randomUUID } from 'node:crypto'
import type { APIRequestContext, BrowserContext, Page } from '@playwright/test'
import type { RunningGateway } from './start-gateway.ts'

/** An account that can sign in. */
export interface Account {
  readonly name: string
  readonly email: string
  readonly password: string
}

/** The administrator of every test gateway. */
export const ADMIN: Account = {
  name: 'Ada Admin',
  email: 'ada@example.com',
  password: 'correct horse battery',
}

/**
 * Posts JSON and returns the JSON reply; throws with the gateway's error message if it is refused.
 */
async function post<Answer>(url: string, body: unknown, token?: string): Promise<Answer> {
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      ...(token && { Authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${await response.text()}`)
  return (await response.json()) as Answer
}

/** Creates the first account and returns its token. */
export async function createAdmin(gateway: RunningGateway): Promise<string> {
  const { token } = await post<{ token: string }>(`${gateway.url}/api/v1/auths/signup`, ADMIN)
  return token
}

export type Role = 'admin' | 'user' | 'pending'

/** Adds an account for one test only. */
export async function addAccount(
  gateway: RunningGateway,
  adminToken: string,
  role: Role,
  name = 'Grace Tester',
): Promise<Account> {
  const account = {
    name,
    email: `${randomUUID().slice(0, 8)}@example.com`,
    password: 'nine little words',
  }
  await post(`${gateway.url}/api/v1/auths/add`, { ...account, role }, adminToken)
  return account
}

/** Adds a provider whose models everyone can use. */
export async function addConnection(
  gateway: RunningGateway,
  adminToken: string,
  { name, url, key }: { readonly name: string; readonly url: string; readonly key: string },
): Promise<void> {
  const connection = { kind: 'compatible', name, url, key, access: 'everybody' }
  await post(`${gateway.url}/api/v1/connections`, connection, adminToken)
}

async function send(api: APIRequestContext, url: string, data: unknown): Promise<void> {
  const response = await api.post(url, { data })
  if (!response.ok())
    throw new Error(`${url} answered ${response.status()}: ${await response.text()}`)
}

/** Name under which a page stores its session key. */
const KEY_PLACE = 'session-key'
const KEY_HEADER = 'X-Session-Key'

/**
 * Signs a browser in as its page does, but without a window: the cookie, and the session key that
 * is stored for the origin.
 */
export async function signIn(
  context: BrowserContext,
  { url }: RunningGateway,
  { email, password }: Account,
): Promise<void> {
  const headers = { 'Sec-Fetch-Site': 'same-origin' }
  const response = await context.request.post(`${url}/api/v1/auths/signin`, {
    data: { email, password },
    headers,
  })
  if (!response.ok())
    throw new Error(`The sign-in answered ${response.status()}: ${await response.text()}`)
  const key = response.headers()[KEY_HEADER.toLowerCase()]!
  signIns += 1
  await context.addInitScript(keepOnce, {
    origin: new URL(url).origin,
    place: KEY_PLACE,
    key,
    number: signIns,
  })
  addToCalls(context, key)
}

let signIns = 0

/**
 * Runs in every page of the browser and stores the session key of the newest sign-in once, so that
 * signing out lasts.
 */
function keepOnce({
  origin,
  place,
  key,
  number,
}: {
  origin: string
  place: string
  key: string
  number: number
}): void {
  if (globalThis.origin !== origin || Number(localStorage.getItem('sign-in')) >= number) return
  localStorage.setItem('sign-in', String(number))
  localStorage.setItem(place, key)
}

const keysOfCalls = new WeakMap<BrowserContext, string>()

/**
 * Adds the session key to requests that a test makes outside of a window, so that they use the
 * browser's session as a page does.
 */
function addToCalls(context: BrowserContext, key: string): void {
  const isFirst = !keysOfCalls.has(context)
  keysOfCalls.set(context, key)
  if (!isFirst) return
  const { request } = context
  const send = request.fetch.bind(request)
  request.fetch = (target, options = {}) =>
    send(target, {
      ...options,
      headers: { [KEY_HEADER]: keysOfCalls.get(context)!, ...options.headers },
    })
}

/** Makes requests of a test use the session that was started in a window. */
export async function callAs(page: Page): Promise<void> {
  addToCalls(
    page.context(),
    (await page.evaluate((place) => localStorage.getItem(place), KEY_PLACE))!,
  )
}

/** Signs a browser in and marks the first-run guide as seen. */
export async function settleIn(
  context: BrowserContext,
  gateway: RunningGateway,
  account: Account,
): Promise<void> {
  await signIn(context, gateway, account)
  await send(context.request, `${gateway.url}/api/v1/users/user/settings/update`, {
    ui: { welcomed: true },
  })
}
