import { expect, type Locator, type Page } from '@playwright/test'

/** Answers of several models next to each other. */
export class SideBySidePage {
  readonly page: Page
  readonly addButton: Locator
  readonly region: Locator
  readonly columns: Locator
  readonly tabs: Locator
  readonly mergeButton: Locator
  readonly showButton: Locator

  constructor(page: Page) {
    this.page = page
    this.addButton = page.getByRole('button', { name: 'Compare with another model' })
    this.region = page.getByRole('article', { name: /answers side by side$/ })
    this.columns = this.region.locator('article.comparison-column')
    this.tabs = this.region.getByRole('tab')
    this.mergeButton = page.getByRole('button', { name: /^Merge answers/ })
    this.showButton = page.getByRole('button', { name: 'Show side by side' })
  }

  /** Adds another model that answers too. */
  async add(name: string): Promise<void> {
    const before = Number(/\d+/.exec((await this.addButton.getAttribute('aria-label')) ?? '') ?? 0)
    await this.addButton.click()
    await this.page.getByRole('option', { name }).first().click()
    await expect(this.addButton).toHaveAccessibleName(
      `Compare with another model, ${before + 1} chosen`,
    )
  }

  async keep(column: Locator): Promise<void> {
    await column.getByRole('button', { name: 'Use this answer' }).click()
  }

  /** Waits until every answer has ended. */
  async finished(): Promise<void> {
    for (const column of await this.columns.all())
      await expect(column.getByRole('button', { name: 'More', exact: true })).toBeVisible()
  }
}
