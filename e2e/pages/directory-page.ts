import type { Locator, Page } from '@playwright/test'

/** The settings of signing in with a directory. */
export class DirectoryPage {
  readonly page: Page
  readonly url: string
  readonly heading: Locator
  readonly enable: Locator
  readonly connection: Locator
  readonly tryButton: Locator
  readonly saveButton: Locator
  readonly state: Locator
  readonly problem: Locator

  constructor(page: Page, url: string) {
    this.page = page
    this.url = url
    this.heading = page.getByRole('heading', { name: 'Directory', level: 1 })
    this.enable = page.getByRole('switch', { name: 'Show on the sign-in page' })
    this.connection = page.getByLabel('Connection')
    this.tryButton = page.getByRole('button', { name: 'Test' })
    this.saveButton = page
      .locator('form')
      .filter({ has: this.tryButton })
      .getByRole('button', { name: 'Save' })
    this.state = page.getByRole('status')
    this.problem = page.getByRole('alert')
  }

  async open(): Promise<void> {
    await this.page.goto(`${this.url}/settings/directory`)
    await this.enable.waitFor()
  }

  async fill(fields: Readonly<Record<string, string>>): Promise<void> {
    for (const [label, value] of Object.entries(fields))
      await this.page.getByLabel(label, { exact: true }).fill(value)
  }
}
