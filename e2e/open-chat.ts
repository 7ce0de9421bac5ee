import type { Browser, Page } from '@playwright/test'
import { ADMIN, addAccount, settleIn } from './accounts.ts'
import type { TestGateway } from './fixtures.ts'
import { ChatPage } from './pages/chat-page.ts'

/** Opens the conversation in a new window, signed in to a gateway that was started for one test. */
export async function openChat(browser: Browser, gateway: TestGateway): Promise<ChatPage> {
  const context = await browser.newContext()
  await settleIn(context, gateway, await addAccount(gateway, gateway.adminToken, 'admin'))
  return new ChatPage(await context.newPage(), gateway.url)
}

/**
 * Opens the conversation in a window of the administrator of a gateway that was started for one
 * test.
 */
export async function openAdminChat(page: Page, gateway: TestGateway): Promise<ChatPage> {
  await settleIn(page.context(), gateway, ADMIN)
  const chat = new ChatPage(page, gateway.url)
  await chat.open()
  return chat
}
