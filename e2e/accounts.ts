import { randomUUID } from 'node:crypto'
import type { APIRequestContext, BrowserContext, Page } from '@playwright/test'
import type { RunningGateway } from './start-gateway.ts'

/** Somebody who can sign in. */
export interface Account {
  readonly name: string
  readonly email: string
  readonly password: string
}

/** The administrator every test gateway begins with. */
export const ADMIN: Account = {
  name: 'Ada Admin',
  email: 'ada@example.com',
  password: 'correct horse battery',
}

/** Sends a JSON body and gives the answer's; fails with the gateway's own words. */
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

/** Makes the first account and returns its token. */
export async function createAdmin(gateway: RunningGateway): Promise<string> {
  const { token } = await post<{ token: string }>(`${gateway.url}/api/v1/auths/signup`, ADMIN)
  return token
}

export type Role = 'admin' | 'user' | 'pending'

/** Adds an account that belongs to one test alone. */
export async function addAccount(
  gateway: RunningGateway,
  adminToken: string,
  role: Role,
  name = 'Grace Tester',
): Promise<Account> {
  const account = { name, email: `${randomUUID()}@example.com`, password: 'nine little words' }
  await post(`${gateway.url}/api/v1/auths/add`, { ...account, role }, adminToken)
  return account
}

async function send(api: APIRequestContext, url: string, data: unknown): Promise<void> {
  const response = await api.post(url, { data })
  if (!response.ok())
    throw new Error(`${url} answered ${response.status()}: ${await response.text()}`)
}

/** Where a page keeps its half of the session. */
const KEY_PLACE = 'session-key'
const KEY_HEADER = 'X-Session-Key'

/**
 * Signs a browser in as its page does, but without its windows: the cookie, and the half that stays
 * with the origin.
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
 * Runs in every page of the browser, and keeps the half of the newest sign-in once: whoever signs
 * out stays so.
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
 * The calls a test makes beside the windows go by the session of the browser: they carry its half,
 * as those of a page do.
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

/** Lets the calls of a test go by the session a person began in a window. */
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
