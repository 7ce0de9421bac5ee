import type { Download, Locator, Page } from '@playwright/test'

/** Folders, tags, the archive and everything else that organises the chat list. */
export class OrganisePage {
  readonly page: Page
  readonly list: Locator
  readonly folders: Locator
  readonly dialog: Locator
  readonly selection: Locator

  constructor(page: Page) {
    this.page = page
    this.list = page.getByRole('navigation', { name: 'Chats' })
    this.folders = this.list.getByRole('region', { name: 'Folders' })
    this.dialog = page.getByRole('dialog')
    this.selection = page.getByRole('region', { name: 'Selected chats' })
  }

  folder(name: string): Locator {
    return this.folders.locator('[data-folder-id]').filter({ hasText: name })
  }

  /** The contents directly below an opened folder. */
  inside(name: string): Locator {
    const head = this.page.locator('[data-folder-id]').filter({ hasText: name })
    return this.folders.getByRole('listitem').filter({ has: head }).last().getByRole('list').first()
  }

  row(title: string): Locator {
    return this.list.getByRole('link').filter({ hasText: title })
  }

  async chooseForList(entry: string): Promise<void> {
    await this.page.getByRole('button', { name: 'Chat list options' }).click()
    await this.page.getByRole('menu').getByText(entry, { exact: true }).click()
  }

  async chooseForFolder(name: string, entry: string): Promise<void> {
    await this.folder(name).hover()
    await this.list.getByRole('button', { name: `Actions for the folder “${name}”` }).click()
    await this.page.getByRole('menuitem', { name: entry }).click()
  }

  async chooseForChat(title: string, entry: string): Promise<void> {
    await this.row(title).hover()
    await this.list.getByRole('button', { name: `Actions for “${title}”` }).click()
    await this.page.getByRole('menuitem', { name: entry }).click()
  }

  async createFolder(name: string): Promise<void> {
    await this.chooseForList('New folder')
    await this.dialog.getByLabel('Folder name').fill(name)
    await this.dialog.getByRole('button', { name: 'Create' }).click()
    await this.folder(name).waitFor()
  }

  /** Chooses a place in the dialog for moving something. */
  async moveTo(place: string): Promise<void> {
    await this.dialog.getByPlaceholder('Find a folder').fill(place)
    await this.dialog.getByRole('option', { name: place }).first().click()
  }

  async undo(): Promise<void> {
    await this.page.getByRole('button', { name: 'Undo' }).click()
  }

  /** Exports a chat from its menu and waits for the file. */
  async exportChat(title: string, form: string): Promise<Download> {
    await this.row(title).hover()
    await this.list.getByRole('button', { name: `Actions for “${title}”` }).click()
    await this.page.getByRole('menuitem', { name: 'Export' }).press('ArrowRight')
    const [file] = await Promise.all([
      this.page.waitForEvent('download'),
      this.page.getByRole('menuitem', { name: form }).press('Enter'),
    ])
    return file
  }
}
