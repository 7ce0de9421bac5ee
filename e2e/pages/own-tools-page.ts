import type { Locator, Page } from '@playwright/test'

/** The user's own tool servers, among all tools. */
export class OwnToolsPage {
  readonly page: Page
  readonly url: string
  readonly list: Locator
  readonly dialog: Locator
  readonly addButton: Locator

  constructor(page: Page, url: string) {
    this.page = page
    this.url = url
    this.list = page.getByRole('list', { name: 'From servers' })
    this.dialog = page.getByRole('dialog', { name: 'Add tool server' })
    this.addButton = page.getByRole('button', { name: 'Add tool', exact: true })
  }

  async open(): Promise<void> {
    await this.page.goto(`${this.url}/workspace/tools`)
    await this.addButton.waitFor()
  }

  card(name: string): Locator {
    return this.list.getByRole('listitem').filter({ hasText: name })
  }

  async add({ name, url, key = '' }: { name: string; url: string; key?: string }): Promise<void> {
    await this.addButton.click()
    await this.page.getByRole('menuitem', { name: 'A web address for yourself' }).click()
    await this.dialog.getByLabel('Address').fill(url)
    await this.dialog.getByLabel('Name').fill(name)
    if (key !== '') {
      await this.dialog.getByLabel('Sign-in').selectOption('API key')
      await this.dialog.getByRole('textbox', { name: 'API key' }).fill(key)
    }
    await this.dialog.getByRole('button', { name: 'Save' }).click()
    await this.dialog.waitFor({ state: 'hidden' })
  }

  async choose(name: string, entry: 'Edit' | 'Test' | 'Remove'): Promise<void> {
    await this.page.getByRole('button', { name: `Actions for “${name}”` }).click()
    await this.page.getByRole('menuitem', { name: entry }).click()
  }
}
