import type { Locator, Page } from '@playwright/test'

/** The box to go anywhere. */
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

  /** Finds an entry by its words and takes it, all with the keyboard. */
  async run(words: string): Promise<void> {
    await this.open()
    await this.page.keyboard.type(words)
    await this.rows.filter({ hasText: words }).first().waitFor()
    await this.page.keyboard.press('Enter')
    await this.dialog.waitFor({ state: 'hidden' })
  }
}
