import type { Locator, Page } from '@playwright/test'

/** The list of chats beside the conversation. */
export class ChatListPage {
  readonly page: Page
  readonly list: Locator
  readonly rows: Locator
  readonly searchBox: Locator
  readonly newChatButton: Locator
  readonly titleBox: Locator

  constructor(page: Page) {
    this.page = page
    this.list = page.getByRole('navigation', { name: 'Chats' })
    this.rows = this.list.getByRole('link')
    this.searchBox = page.getByRole('searchbox', { name: 'Search chats' })
    this.newChatButton = page.getByRole('button', { name: 'New chat', exact: true })
    this.titleBox = page.getByRole('textbox', { name: 'New title' })
  }

  row(title: string): Locator {
    return this.rows.filter({ hasText: title })
  }

  /** A part of the list, such as "Pinned" or "Yesterday". */
  group(name: string): Locator {
    return this.list
      .locator('section')
      .filter({ has: this.page.getByRole('heading', { name, exact: true }) })
  }

  /** Chooses an entry in the menu of a chat. */
  async choose(title: string, entry: 'Rename' | 'Pin' | 'Unpin' | 'Delete'): Promise<void> {
    await this.row(title).hover()
    await this.list.getByRole('button', { name: `Actions for “${title}”` }).click()
    await this.page.getByRole('menuitem', { name: entry, exact: true }).click()
  }

  /** A short notification, such as the one after a deletion. */
  note(text: string): Locator {
    return this.page
      .getByRole('region', { name: 'Notifications' })
      .getByRole('listitem')
      .filter({ hasText: text })
  }

  async undo(): Promise<void> {
    await this.page.getByRole('button', { name: 'Undo' }).click()
  }
}
