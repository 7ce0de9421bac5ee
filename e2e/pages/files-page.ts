import type { Locator, Page } from '@playwright/test'
import type { GivenFile } from './knowledge-page.ts'

/** The page of a user's files. */
export class FilesPage {
  readonly page: Page
  readonly url: string
  readonly dialog: Locator
  readonly list: Locator
  readonly search: Locator

  constructor(page: Page, url: string) {
    this.page = page
    this.url = url
    this.dialog = page.getByRole('dialog')
    this.list = page.getByRole('list', { name: 'Files', exact: true })
    this.search = page.getByRole('searchbox', { name: 'Search files' })
  }

  async open(): Promise<void> {
    await this.page.goto(`${this.url}/workspace/files`)
    await this.page.getByRole('heading', { level: 1, name: 'Files' }).waitFor()
  }

  row(name: string): Locator {
    return this.list.getByRole('listitem').filter({ hasText: name })
  }

  async add(...files: readonly GivenFile[]): Promise<void> {
    await this.page
      .getByTestId('add-files')
      .setInputFiles(
        files.map(({ content, ...file }) => ({ ...file, buffer: Buffer.from(content) })),
      )
  }

  async act(name: string, entry: string): Promise<void> {
    await this.page.getByRole('button', { name: `Actions for “${name}”` }).click()
    await this.page.getByRole('menuitem', { name: entry, exact: true }).click()
  }
}
