import type { Locator, Page } from '@playwright/test'

/** A file for a form, with its path below the dropped folder. */
export interface GivenFile {
  readonly name: string
  readonly mimeType: string
  readonly content: string
}

/** The page of document collections. */
export class KnowledgePage {
  readonly page: Page
  readonly url: string
  readonly dialog: Locator
  readonly heading: Locator
  readonly list: Locator
  readonly files: Locator
  readonly uploads: Locator
  readonly passages: Locator

  constructor(page: Page, url: string) {
    this.page = page
    this.url = url
    this.dialog = page.getByRole('dialog')
    this.heading = page.getByRole('heading', { level: 1 })
    this.list = page.getByRole('list', { name: 'Knowledge' })
    this.files = page.getByRole('list', { name: 'Files in the collection' })
    this.uploads = page.getByRole('region', { name: 'Uploads' })
    this.passages = page.getByRole('list', { name: 'Matching passages' }).getByRole('listitem')
  }

  async open(): Promise<void> {
    await this.page.goto(`${this.url}/workspace/knowledge`)
    await this.heading.waitFor()
  }

  /** Creates a collection through the UI, and stays on its page. */
  async create(name: string): Promise<void> {
    await this.open()
    await this.page.getByRole('button', { name: 'New collection', exact: true }).click()
    await this.dialog.getByLabel('Name').fill(name)
    await this.dialog.getByRole('button', { name: 'New collection' }).click()
    await this.page.getByRole('heading', { level: 1, name }).waitFor()
  }

  row(name: string): Locator {
    return this.files.getByRole('listitem').filter({ hasText: name })
  }

  collection(name: string): Locator {
    return this.list.getByRole('listitem').filter({ hasText: name })
  }

  async add(...files: readonly GivenFile[]): Promise<void> {
    await this.page
      .getByTestId('knowledge-files')
      .setInputFiles(
        files.map(({ content, ...file }) => ({ ...file, buffer: Buffer.from(content) })),
      )
  }

  /** Drops files on the list, as from a file manager. */
  async drop(...files: readonly GivenFile[]): Promise<void> {
    const data = await this.page.evaluateHandle((list) => {
      const transfer = new DataTransfer()
      for (const { name, mimeType, content } of list)
        transfer.items.add(new File([content], name, { type: mimeType }))
      return transfer
    }, files)
    const place = this.page.getByRole('tabpanel')
    for (const type of ['dragenter', 'dragover', 'drop'])
      await place.locator('> *').first().dispatchEvent(type, { dataTransfer: data })
  }

  /** Chooses an entry in the "Add" menu. */
  async choose(entry: string): Promise<void> {
    await this.page.getByRole('button', { name: 'Add', exact: true }).click()
    await this.page.getByRole('menuitem', { name: entry }).click()
  }

  async act(name: string, entry: string): Promise<void> {
    await this.page.getByRole('button', { name: `Actions for “${name}”` }).click()
    await this.page.getByRole('menuitem', { name: entry, exact: true }).click()
  }

  async actOnAll(entry: string): Promise<void> {
    await this.page.getByRole('button', { name: 'Collection actions' }).click()
    await this.page.getByRole('menuitem', { name: entry, exact: true }).click()
  }

  async tab(name: 'Files' | 'Test' | 'Name and access'): Promise<void> {
    await this.page.getByRole('tab', { name }).click()
  }

  async ask(question: string): Promise<void> {
    await this.tab('Test')
    await this.page.getByRole('textbox', { name: 'Question' }).fill(question)
    await this.page.getByRole('button', { name: 'Search', exact: true }).click()
  }

  async undo(): Promise<void> {
    await this.page
      .getByRole('region', { name: 'Notifications' })
      .getByRole('button', { name: 'Undo' })
      .last()
      .click()
  }
}
