import { expect, type Locator, type Page } from '@playwright/test'

/** Answers of several models next to each other. */
export class SideBySidePage {
  readonly page: Page
  readonly addButton: Locator
  /** On a phone, the button whose sheet holds the one that adds a model. */
  readonly sheetButton: Locator
  readonly region: Locator
  readonly columns: Locator
  readonly tabs: Locator
  readonly mergeButton: Locator
  readonly showButton: Locator

  constructor(page: Page) {
    this.page = page
    this.addButton = page.getByRole('button', { name: 'Compare with another model' })
    this.sheetButton = page.getByRole('button', { name: 'Add and use' })
    this.region = page.getByRole('article', { name: /answers side by side$/ })
    this.columns = this.region.locator('article.comparison-column')
    this.tabs = this.region.getByRole('tab')
    this.mergeButton = page.getByRole('button', { name: /^Merge answers/ })
    this.showButton = page.getByRole('button', { name: 'Show side by side' })
  }

  /** Adds another model that answers too. */
  async add(name: string): Promise<void> {
    await this.sheetButton.or(this.addButton).first().waitFor()
    const hasSheet = await this.sheetButton.isVisible()
    if (hasSheet) await this.sheetButton.click()
    const before = Number(/\d+/.exec((await this.addButton.getAttribute('aria-label')) ?? '') ?? 0)
    await this.addButton.click()
    await this.page.getByRole('option', { name }).first().click()
    await expect(this.addButton).toHaveAccessibleName(
      `Compare with another model, ${before + 1} chosen`,
    )
    if (!hasSheet) return
    await this.page.keyboard.press('Escape')
    await expect(this.addButton).toHaveCount(0)
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
