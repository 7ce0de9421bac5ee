import type { Locator, Page } from '@playwright/test'

/** The page of deleted chats. */
export class TrashPage {
  readonly page: Page
  readonly main: Locator
  readonly rows: Locator
  readonly folders: Locator
  readonly dialog: Locator

  constructor(page: Page) {
    this.page = page
    this.main = page.getByRole('main')
    this.rows = this.main.getByRole('listitem')
    this.folders = this.main.getByRole('region', { name: 'Folders' }).getByRole('listitem')
    this.dialog = page.getByRole('dialog')
  }

  async restore(title: string): Promise<void> {
    await this.main.getByRole('button', { name: `Restore: ${title}` }).click()
  }

  async erase(title: string): Promise<void> {
    await this.main.getByRole('button', { name: `Delete permanently: ${title}` }).click()
    await this.dialog.getByRole('button', { name: 'Delete permanently' }).click()
  }
}
