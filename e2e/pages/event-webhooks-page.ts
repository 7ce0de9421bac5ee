import type { Locator, Page } from '@playwright/test'

/** The page of the URLs that receive events. */
export class EventWebhooksPage {
  readonly page: Page
  readonly url: string
  readonly addButton: Locator
  readonly form: Locator
  readonly saveButton: Locator
  readonly list: Locator

  constructor(page: Page, url: string) {
    this.page = page
    this.url = url
    this.addButton = page.getByRole('button', { name: 'Add webhook' })
    this.form = page.getByRole('dialog', { name: /webhook$/ })
    this.saveButton = this.form.getByRole('button', { name: 'Save' })
    this.list = page.getByRole('list', { name: 'Webhooks' })
  }

  async open(): Promise<void> {
    await this.page.goto(`${this.url}/settings/webhooks`)
    await this.addButton.waitFor()
  }

  row(name: string): Locator {
    return this.list
      .getByRole('listitem')
      .filter({ has: this.page.getByRole('button', { name, exact: true }) })
  }

  /** Status of the last delivery to a URL. */
  status(name: string): Locator {
    return this.row(name).getByRole('status')
  }

  testButton(name: string): Locator {
    return this.page.getByRole('button', { name: `Send test to ${name}` })
  }

  async fill(given: {
    readonly name: string
    readonly url: string
    readonly secret?: string
  }): Promise<void> {
    await this.form.getByRole('textbox', { name: 'Name' }).fill(given.name)
    await this.form.getByRole('textbox', { name: 'Address' }).fill(given.url)
    if (given.secret !== undefined) await this.form.getByLabel('Signing secret').fill(given.secret)
  }

  /** Chooses groups of events instead of all. */
  async chooseAllOf(...names: readonly string[]): Promise<void> {
    await this.form.getByRole('switch', { name: 'All events' }).click()
    for (const name of names)
      await this.form.getByRole('checkbox', { name: `All events: ${name}`, exact: true }).check()
  }
}
