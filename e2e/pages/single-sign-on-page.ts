import type { Locator, Page } from '@playwright/test'

/** The settings of signing in with other providers. */
export class SingleSignOnPage {
  readonly page: Page
  readonly url: string
  readonly report: Locator
  readonly problem: Locator

  constructor(page: Page, url: string) {
    this.page = page
    this.url = url
    this.report = page.getByRole('region', { name: /^(The sign-in|Waiting for)/ })
    this.problem = page.getByRole('alert').filter({ hasText: /./ })
  }

  async open(): Promise<void> {
    await this.page.goto(`${this.url}/settings/single-sign-on`)
    await this.page.getByRole('heading', { name: 'For all providers' }).waitFor()
  }

  /** Opens a section of the settings, unless it is open. */
  async unfold(part: string): Promise<void> {
    await this.#open(
      this.page.locator('details', { has: this.page.getByText(part, { exact: true }) }),
    )
  }

  /** Opens the fields of a provider, unless they are open. */
  async setUp(provider: string): Promise<void> {
    await this.#open(this.card(provider).locator('details').first())
  }

  /** The box of a provider. */
  card(provider: string): Locator {
    return this.page
      .getByRole('listitem')
      .filter({ has: this.page.getByRole('heading', { level: 2, name: provider }) })
  }

  async #open(fold: Locator): Promise<void> {
    if ((await fold.getAttribute('open')) === null) await fold.locator('summary').first().click()
  }

  async set(key: string, value: string): Promise<void> {
    const code = this.page.locator('code').getByText(key, { exact: true })
    const box = this.page.getByRole('listitem').filter({ has: code }).last().locator('input')
    await box.fill(value)
    await box.press('Enter')
    await this.page
      .locator('form', { has: box })
      .getByRole('button', { name: 'Save' })
      .waitFor({ state: 'detached' })
  }

  async try(name: string): Promise<void> {
    const before = this.page.url()
    await this.page.getByRole('button', { name: `Test ${name}` }).click()
    await this.page.waitForURL((url) => url.href !== before && url.searchParams.has('oauth_test'))
    await this.report.waitFor()
  }
}
