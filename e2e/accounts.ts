import { randomUUID } from 'node:crypto'
import type { APIRequestContext, BrowserContext } from '@playwright/test'
import type { RunningGateway } from './start-gateway.ts'

/** Somebody who can sign in. */
export interface Account {
  readonly name: string
  readonly email: string
  readonly password: string
}

/** The administrator every test gateway begins with. */
export const ADMIN: Account = { name: 'Ada Admin', email: 'ada@example.com', password: 'correct horse battery' }

/** Sends a JSON body and gives the answer's; fails with the gateway's own words. */
async function post<Answer>(url: string, body: unknown, token?: string): Promise<Answer> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...(token && { Authorization: `Bearer ${token}` }) },
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
export async function addAccount(gateway: RunningGateway, adminToken: string, role: Role, name = 'Grace Tester'): Promise<Account> {
  const account = { name, email: `${randomUUID()}@example.com`, password: 'nine little words' }
  await post(`${gateway.url}/api/v1/auths/add`, { ...account, role }, adminToken)
  return account
}

async function send(api: APIRequestContext, url: string, data: unknown): Promise<void> {
  const response = await api.post(url, { data })
  if (!response.ok()) throw new Error(`${url} answered ${response.status()}: ${await response.text()}`)
}

/** Signs a browser in without its windows. */
export async function signIn({ request }: BrowserContext, gateway: RunningGateway, { email, password }: Account): Promise<void> {
  await send(request, `${gateway.url}/api/v1/auths/signin`, { email, password })
}

/** Signs a browser in and marks the first-run guide as seen. */
export async function settleIn(context: BrowserContext, gateway: RunningGateway, account: Account): Promise<void> {
  await signIn(context, gateway, account)
  await send(context.request, `${gateway.url}/api/v1/users/user/settings/update`, { ui: { welcomed: true } })
}
