import type { Locator, Page } from '@playwright/test'
import { ConnectionForm } from './connection-form.ts'

/** The guide for new users. */
export class FirstRunPage {
  readonly page: Page
  readonly heading: Locator
  readonly skipButton: Locator
  readonly nextButton: Locator
  readonly backButton: Locator
  readonly startButton: Locator
  readonly form: ConnectionForm

  constructor(page: Page) {
    this.page = page
    this.heading = page.getByRole('heading', { level: 1 })
    this.skipButton = page.getByRole('button', { name: 'Skip guide' })
    this.nextButton = page.getByRole('button', { name: /^(Next|Not now)$/ })
    this.backButton = page.getByRole('button', { name: 'Back', exact: true })
    this.startButton = page.getByRole('button', { name: 'Start chatting' })
    this.form = new ConnectionForm(page.locator('form'))
  }

  /**
   * Skips the guide, and waits until the gateway has stored it: a page that is closed before shows
   * the guide again.
   */
  async skip(): Promise<void> {
    const isKept = this.page.waitForResponse(
      (response) => response.url().endsWith('/users/user/settings/update') && response.ok(),
    )
    await this.skipButton.click()
    await isKept
  }

  progress(step: number, count = 3): Locator {
    return this.page.getByText(`Step ${step} of ${count}`)
  }
}
