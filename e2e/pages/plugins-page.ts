import type { Locator, Page } from '@playwright/test'

/** The tools and functions of the workspace: their lists and the editor of one. */
export class PluginsPage {
  readonly page: Page
  readonly url: string
  readonly source: Locator
  readonly name: Locator
  readonly report: Locator
  readonly trace: Locator
  readonly calls: Locator
  readonly packages: Locator
  readonly unsaved: Locator
  readonly notices: Locator

  constructor(page: Page, url: string) {
    this.page = page
    this.url = url
    this.source = page.getByRole('textbox', { name: 'Source' })
    this.name = page.getByLabel('Name', { exact: true })
    this.report = page.getByRole('region', { name: 'About this plugin' })
    this.trace = page.getByRole('region', { name: 'What happened' })
    this.packages = page.getByRole('region', { name: 'Missing packages' })
    this.calls = page.getByRole('list', { name: 'Recent calls' })
    this.notices = page.getByRole('region', { name: 'Notifications' })
    this.unsaved = page.getByText('Unsaved changes', { exact: true })
  }

  /** Opens the list, or with `id` the editor; an empty `id` opens it for a new one. */
  async open(area: 'tools' | 'functions', id?: string): Promise<void> {
    await this.page.goto(`${this.url}/workspace/${area}${id === undefined ? '' : `?id=${id}`}`)
    if (id !== undefined) await this.source.waitFor()
  }

  /** Begins a tool from the list of all tools. */
  async addTool(): Promise<void> {
    await this.page.getByRole('button', { name: 'Add tool', exact: true }).click()
    await this.page.getByRole('menuitem', { name: 'Python code' }).click()
  }

  async import(name: string, source: string): Promise<void> {
    await this.page
      .getByTestId('plugin-file')
      .setInputFiles({ name, mimeType: 'text/x-python', buffer: Buffer.from(source) })
  }

  /** Replaces the source in the editor, as pasting over it does. */
  async paste(source: string): Promise<void> {
    await this.source.click()
    await this.page.keyboard.press('ControlOrMeta+a')
    await this.source.evaluate((box, text) => {
      const clipboardData = new DataTransfer()
      clipboardData.setData('text/plain', text)
      box.dispatchEvent(
        new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }),
      )
    }, source)
  }

  async save(): Promise<void> {
    await this.page.getByRole('button', { name: 'Save', exact: true }).click()
  }

  async openMenu(name: string): Promise<void> {
    await this.page.getByRole('button', { name: `Actions for “${name}”` }).click()
  }

  /** Runs a function in the console. */
  async run(hook: string, given: unknown): Promise<void> {
    await this.page.getByLabel('Function').selectOption(hook)
    await this.page.getByLabel('Arguments as JSON').fill(JSON.stringify(given))
    await this.page.getByRole('button', { name: 'Run' }).click()
  }
}
