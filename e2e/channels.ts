import type { BrowserContext } from '@playwright/test'
import { type Account, addAccount, settleIn } from './accounts.ts'
import { expect, test as base, type TestGateway, variablesFor, withAdmin } from './fixtures.ts'
import { ChannelPage } from './pages/channel-page.ts'
import { startGateway } from './start-gateway.ts'
import { type Troubles, watchPages } from './watch-pages.ts'

/** A user with a separate window. */
export interface Somebody {
  readonly id: string
  readonly name: string
  readonly account: Account
  readonly context: BrowserContext
  readonly channel: ChannelPage
}

async function send<Answer>(
  context: BrowserContext,
  method: string,
  url: string,
  data?: unknown,
): Promise<Answer> {
  const response = await context.request.fetch(url, { method, ...(data !== undefined && { data }) })
  if (!response.ok())
    throw new Error(`${url} answered ${response.status()}: ${await response.text()}`)
  return (await response.json()) as Answer
}

interface ChannelWorker {
  /** A gateway with channels, shared by the tests of a worker. */
  channelGateway: TestGateway
}

type Enter = (
  name: string,
  options?: { role?: 'admin' | 'user'; size?: { width: number; height: number } },
) => Promise<Somebody>

export const test = base.extend<{ enter: Enter }, ChannelWorker>({
  channelGateway: [
    async ({ upstream }, use) => {
      const gateway = await withAdmin(
        await startGateway({ ...variablesFor(upstream), ENABLE_CHANNELS: 'true' }),
      )
      await use(gateway)
      await gateway.stop()
    },
    { scope: 'worker' },
  ],
  /** Signs in a new user in a separate browser. Anything that no window may do fails the test. */
  enter: async ({ browser, channelGateway: gateway }, use) => {
    const entered: { context: BrowserContext; troubles: Troubles }[] = []
    await use(async (name, { role = 'user', size = { width: 1280, height: 800 } } = {}) => {
      const account = await addAccount(gateway, gateway.adminToken, role, name)
      const context = await browser.newContext({ viewport: size, reducedMotion: 'reduce' })
      entered.push({ context, troubles: await watchPages(context) })
      await settleIn(context, gateway, account)
      const { id } = await send<{ id: string }>(context, 'GET', `${gateway.url}/api/v1/auths/`)
      const page = await context.newPage()
      await page.goto(gateway.url)
      return { id, name, account, context, channel: new ChannelPage(page, gateway.url) }
    })
    for (const { context, troubles } of entered) {
      await context.close()
      expect(troubles).toEqual({ foreignRequests: [], policyViolations: [], pageErrors: [] })
    }
  },
})

export { expect }

/** Calls the channels API as a user, outside of their window. */
export const callChannels = <Answer = { id: string }>(
  { context, channel }: Pick<Somebody, 'context' | 'channel'>,
  method: 'GET' | 'POST' | 'DELETE',
  path: string,
  data?: unknown,
): Promise<Answer> => send<Answer>(context, method, `${channel.url}/api/v1/channels${path}`, data)

/** Creates a group of users and returns its id. */
export async function makeGroup(
  maker: Somebody,
  name: string,
  ...members: readonly Somebody[]
): Promise<string> {
  const { id } = await callChannels(maker, 'POST', '/create', {
    name,
    type: 'group',
    user_ids: members.map((member) => member.id),
  })
  return id
}

export const post = (
  author: Somebody,
  channelId: string,
  content: string,
  further: Record<string, unknown> = {},
): Promise<{ id: string }> =>
  callChannels(author, 'POST', `/${channelId}/messages/post`, { content, ...further })

/** Posts many messages, one after the other. */
export async function postMany(
  author: Somebody,
  channelId: string,
  count: number,
  text = 'message',
): Promise<void> {
  for (let number = 1; number <= count; number += 1)
    await post(author, channelId, `${text} ${number}.`)
}
