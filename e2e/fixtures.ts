import { test as base, expect, type Page } from '@playwright/test'
import { startFakeCompatible } from '../server/testing/fake-upstream/fake-compatible.ts'
import type { FakeUpstream } from '../server/testing/fake-upstream/fake-server.ts'
import { ChatPage } from './pages/chat-page.ts'
import { startGateway, type RunningGateway } from './start-gateway.ts'

export { expect }

/** The administrator every test gateway begins with. */
export const ADMIN = { name: 'Ada Admin', email: 'ada@example.com', password: 'correct horse battery' }

interface WorkerFixtures {
  upstream: FakeUpstream
  gateway: RunningGateway
}

interface TestFixtures {
  /** A page signed in as the administrator, past the first-run guide. */
  chat: ChatPage
}

async function createAdmin(gateway: RunningGateway): Promise<void> {
  const response = await fetch(`${gateway.url}/api/v1/auths/signup`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(ADMIN),
  })
  if (!response.ok) throw new Error(`Sign-up answered ${response.status}: ${await response.text()}`)
}

/** Signs a page in over the API, so that the cookie lands in its context, and skips the first-run guide. */
export async function signIn(page: Page, gateway: RunningGateway, who: { email: string; password: string } = ADMIN): Promise<void> {
  const api = page.context().request
  const session = await api.post(`${gateway.url}/api/v1/auths/signin`, { data: { email: who.email, password: who.password } })
  expect(session.ok(), await session.text()).toBe(true)
  const settings = await api.post(`${gateway.url}/api/v1/users/user/settings/update`, { data: { ui: { firstRunDone: true } } })
  expect(settings.ok(), await settings.text()).toBe(true)
}

/** Tests share one gateway per worker; whoever changes it for others starts one of his own. */
export const test = base.extend<TestFixtures, WorkerFixtures>({
  upstream: [
    // oxlint-disable-next-line no-empty-pattern -- the test runner demands a destructured first argument
    async ({}, use) => {
      const upstream = await startFakeCompatible({})
      await use(upstream)
      await upstream.close()
    },
    { scope: 'worker' },
  ],
  gateway: [
    async ({ upstream }, use) => {
      const gateway = await startGateway({ OPENAI_API_BASE_URLS: upstream.url, OPENAI_API_KEYS: 'upstream-secret' })
      await createAdmin(gateway)
      await use(gateway)
      await gateway.stop()
    },
    { scope: 'worker' },
  ],
  chat: async ({ page, gateway }, use) => {
    await signIn(page, gateway)
    await use(new ChatPage(page, gateway.url))
  },
})
