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
    await this.page.getByRole('heading', { name: 'Sign-in with other providers' }).waitFor()
  }

  /** Opens a part of the settings, unless it is open. */
  async unfold(part: string): Promise<void> {
    const fold = this.page.locator('details', { has: this.page.getByText(part, { exact: true }) })
    if ((await fold.getAttribute('open')) === null) await fold.locator('summary').click()
  }

  async set(key: string, value: string): Promise<void> {
    const box = this.page.getByLabel(key, { exact: true })
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
