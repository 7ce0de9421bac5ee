import { test as base, expect } from '@playwright/test'
import { startFakeCompatible } from '../server/testing/fake-upstream/fake-compatible.ts'
import type { FakeUpstream } from '../server/testing/fake-upstream/fake-server.ts'
import { type Account, addAccount, createAdmin, settleIn } from './accounts.ts'
import { ChatListPage } from './pages/chat-list-page.ts'
import { ChatPage } from './pages/chat-page.ts'
import { SettingsPage } from './pages/settings-page.ts'
import { playDialogue } from './scripted-model.ts'
import { startGateway, type RunningGateway } from './start-gateway.ts'
import { type Troubles, watchPages } from './watch-pages.ts'

export { expect }

/** A gateway with its administrator's token. */
export interface TestGateway extends RunningGateway {
  readonly adminToken: string
}

export interface WorkerFixtures {
  /** A provider that plays the scenario a message asks for, such as `/slow 20`. */
  upstream: FakeUpstream
  /** Shared by all tests of a worker; no test may change what others rely on. */
  gateway: TestGateway
}

export interface TestFixtures {
  /** An account with administrator rights, for this test only. */
  account: Account
  /** The conversation in a window signed in as `account`, past the first-run guide. */
  chat: ChatPage
  chatList: ChatListPage
  settings: SettingsPage
  /** Starts a gateway for this test only. `isEmpty` leaves it without an account. */
  startOwnGateway: (
    env?: Record<string, string>,
    options?: { isEmpty?: boolean },
  ) => Promise<TestGateway>
  /** Forbidden actions of this test's windows. Every test fails if there are any. */
  troubles: Troubles
}

/** Creates the administrator of a gateway. */
export async function withAdmin(gateway: RunningGateway, isEmpty = false): Promise<TestGateway> {
  const adminToken = isEmpty ? '' : await createAdmin(gateway)
  return Object.defineProperties(
    { adminToken },
    Object.getOwnPropertyDescriptors(gateway),
  ) as TestGateway
}

/** Returns the environment variables for a gateway of the tests. */
export const variablesFor = (upstream: FakeUpstream): Record<string, string> => ({
  OPENAI_API_BASE_URLS: upstream.url,
  OPENAI_API_KEYS: 'upstream-secret',
  BYPASS_MODEL_ACCESS_CONTROL: 'true',
  ENABLE_API_KEYS: 'true',
  // Many tests open the plugin pages; only some tests enable the installation of packages.
  ENABLE_PIP_INSTALL_FRONTMATTER_REQUIREMENTS: 'false',
})

export const test = base.extend<TestFixtures, WorkerFixtures>({
  upstream: [
    // oxlint-disable-next-line no-empty-pattern -- the test runner demands a destructured first argument
    async ({}, use) => {
      const upstream = await startFakeCompatible({
        models: ['text', 'reasoning'],
        script: playDialogue,
      })
      await use(upstream)
      await upstream.close()
    },
    { scope: 'worker' },
  ],
  gateway: [
    async ({ upstream }, use) => {
      const gateway = await withAdmin(await startGateway(variablesFor(upstream)))
      await use(gateway)
      await gateway.stop()
    },
    { scope: 'worker' },
  ],
  startOwnGateway: async ({ upstream }, use) => {
    const started: RunningGateway[] = []
    await use(async (env = {}, { isEmpty = false } = {}) => {
      const gateway = await startGateway({ ...variablesFor(upstream), ...env })
      started.push(gateway)
      return withAdmin(gateway, isEmpty)
    })
    for (const gateway of started) await gateway.stop()
  },
  troubles: [
    async ({ context }, use) => {
      const troubles = await watchPages(context)
      await use(troubles)
      expect(troubles).toEqual({ foreignRequests: [], policyViolations: [], pageErrors: [] })
    },
    { auto: true },
  ],
  account: async ({ gateway }, use) => use(await addAccount(gateway, gateway.adminToken, 'admin')),
  chat: async ({ page, gateway, account }, use) => {
    await settleIn(page.context(), gateway, account)
    await use(new ChatPage(page, gateway.url))
  },
  chatList: async ({ chat }, use) => use(new ChatListPage(chat.page)),
  settings: async ({ chat }, use) => use(new SettingsPage(chat.page, chat.url)),
})
