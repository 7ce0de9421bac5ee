import type { FrameLocator, Locator, Page } from '@playwright/test'

/** The sheet beside a conversation. */
export class ArtifactPage {
  readonly page: Page
  readonly sheet: Locator
  readonly frame: FrameLocator
  readonly versions: Locator
  readonly problems: Locator

  constructor(page: Page) {
    this.page = page
    this.sheet = page.getByRole('dialog', { name: 'Artifact' })
    this.frame = this.sheet.frameLocator('iframe:not([aria-hidden])')
    this.versions = this.sheet.getByRole('group', { name: 'Versions' })
    this.problems = this.sheet.getByRole('region', { name: 'Errors of the page' })
  }

  button(name: string): Locator {
    return this.sheet.getByRole('button', { name, exact: true })
  }

  /** Opens a code block of an answer. */
  async open(answer: Locator, kind: string): Promise<void> {
    await answer.getByRole('button', { name: `Open beside the chat: ${kind}` }).click()
    await this.sheet.waitFor()
  }

  /** Body of the page in the frame. */
  body(): Locator {
    return this.frame.locator('body')
  }
}
