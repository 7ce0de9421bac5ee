import type { Locator, Page } from '@playwright/test'

/** The command palette. */
export class PalettePage {
  readonly page: Page
  readonly dialog: Locator
  readonly box: Locator
  readonly rows: Locator

  constructor(page: Page) {
    this.page = page
    this.dialog = page.getByRole('dialog', { name: 'Command palette' })
    this.box = this.dialog.getByRole('combobox')
    this.rows = this.dialog.getByRole('option')
  }

  async open(): Promise<void> {
    await this.page.keyboard.press('Control+k')
    await this.box.waitFor()
  }

  /** Finds an entry by its text and chooses it, with the keyboard only. */
  async run(words: string): Promise<void> {
    await this.open()
    await this.page.keyboard.type(words)
    await this.rows.filter({ hasText: words }).first().waitFor()
    await this.page.keyboard.press('Enter')
    await this.dialog.waitFor({ state: 'hidden' })
  }
}
