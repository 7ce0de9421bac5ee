import { expect, type Locator, type Page } from '@playwright/test'

/** Settings, Time machine. */
export class TimeMachinePage {
  readonly page: Page
  readonly url: string
  /** The manual snapshots: others are created automatically. */
  readonly snapshots: Locator

  constructor(page: Page, url: string) {
    this.page = page
    this.url = url
    this.snapshots = page
      .getByRole('list', { name: 'Snapshots' })
      .getByRole('listitem')
      .filter({ hasText: 'Made by hand' })
  }

  async open(): Promise<void> {
    await this.page.goto(`${this.url}/settings/time-machine`)
    await this.page.getByRole('heading', { name: 'Snapshots' }).waitFor()
  }

  /**
   * Takes a snapshot and waits until it is the first; other tests create theirs on the same
   * gateway.
   */
  async take(): Promise<void> {
    const before = await this.snapshots.count()
    await this.page.getByRole('button', { name: 'Take a snapshot now' }).click()
    await expect(this.snapshots).toHaveCount(before + 1)
  }

  async look(): Promise<void> {
    await this.snapshots.first().getByRole('button').first().click()
    await this.page.getByRole('heading', { name: 'As it was on' }).waitFor()
  }

  group(name: string): Locator {
    return this.page.getByRole('list', { name, exact: true })
  }

  async bringBack(name: string): Promise<void> {
    await this.page.getByRole('button', { name: `Bring back ${name}` }).click()
    const told = this.page.getByText(`“${name}” is back as a copy`, { exact: true })
    await told.first().waitFor()
  }

  /** Requests the restore of everything, and reads the explanation before it. */
  async bringEverythingBack(): Promise<void> {
    await this.page.getByRole('button', { name: 'Bring everything back' }).click()
    const dialog = this.page.getByRole('dialog', { name: /^Bring everything back to/ })
    await expect(dialog).toContainText('passwords')
    await dialog.getByRole('button', { name: 'Bring everything back' }).click()
  }
}
