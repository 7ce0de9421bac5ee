import type { Locator, Page } from '@playwright/test'

/** Import and export in the settings. */
export class DataPage {
  readonly page: Page
  readonly file: Locator
  readonly contents: Locator
  readonly runButton: Locator
  readonly dialog: Locator

  constructor(page: Page) {
    this.page = page
    this.file = page.getByLabel('Export file')
    this.contents = page.getByRole('list', { name: 'Chats in the file' })
    this.runButton = page.getByRole('button', { name: /^Import \d+ chats?$/ })
    this.dialog = page.getByRole('dialog')
  }

  async read(name: string, content: string | Buffer): Promise<void> {
    const mimeType = name.endsWith('.zip') ? 'application/zip' : 'application/json'
    await this.file.setInputFiles({ name, mimeType, buffer: Buffer.from(content) })
  }

  filter(state: 'All' | 'New' | 'Changed' | 'Already imported'): Locator {
    return this.page.getByRole('button', { name: new RegExp(`^${state} \\d+$`) })
  }
}
