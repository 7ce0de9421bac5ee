import type { Locator, Page } from '@playwright/test'

/** Attachments of the message being written, and the sources of answers. */
export class AttachmentsPage {
  readonly page: Page
  readonly list: Locator
  readonly dialog: Locator
  readonly viewer: Locator

  constructor(page: Page) {
    this.page = page
    this.list = page.getByRole('list', { name: 'Attachments' })
    this.dialog = page.getByRole('dialog')
    this.viewer = page.getByRole('complementary', { name: 'Source' })
  }

  chip(name: string): Locator {
    return this.list.getByRole('listitem').filter({ hasText: name })
  }

  async choose(entry: 'Files…' | 'Knowledge…' | 'Note…' | 'Web page…'): Promise<void> {
    await this.page.getByRole('button', { name: 'Attach', exact: true }).click()
    await this.page.getByRole('menuitem', { name: entry }).click()
  }

  /** Attaches files as the file dialog of the system would. */
  async attach(
    ...files: readonly { name: string; mimeType: string; content: string | Buffer }[]
  ): Promise<void> {
    await this.page
      .getByTestId('attach-files')
      .setInputFiles(
        files.map(({ content, ...file }) => ({ ...file, buffer: Buffer.from(content) })),
      )
  }

  /** Drops files on the middle of the window. */
  async drop(
    ...files: readonly { name: string; mimeType: string; content: string }[]
  ): Promise<void> {
    const data = await this.page.evaluateHandle((given) => {
      const transfer = new DataTransfer()
      for (const { name, mimeType, content } of given)
        transfer.items.add(new File([content], name, { type: mimeType }))
      return transfer
    }, files)
    for (const type of ['dragenter', 'dragover', 'drop'])
      await this.page.dispatchEvent('body', type, { dataTransfer: data })
  }

  citation(answer: Locator, number: number): Locator {
    return answer.getByRole('button', { name: new RegExp(`^Source ${number}:`) })
  }
}
