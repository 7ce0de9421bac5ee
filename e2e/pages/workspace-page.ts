import type { Locator, Page } from '@playwright/test'

export const WORKSPACE_AREAS = [
  'models',
  'prompts',
  'skills',
  'notes',
  'knowledge',
  'files',
  'arena',
  'prices',
] as const
export type WorkspaceArea = (typeof WORKSPACE_AREAS)[number]

/** Models, prompts, notes, arenas and prices. */
export class WorkspacePage {
  readonly page: Page
  readonly url: string
  readonly heading: Locator
  readonly dialog: Locator
  /** Text of a prompt in its dialog. */
  readonly text: Locator
  readonly preview: Locator
  readonly noteTitle: Locator
  readonly noteText: Locator

  constructor(page: Page, url: string) {
    this.page = page
    this.url = url
    this.heading = page.getByRole('heading', { level: 1 })
    this.dialog = page.getByRole('dialog')
    this.text = this.dialog.getByRole('textbox', { name: 'Text', exact: true })
    this.preview = page.getByRole('region', { name: 'Preview' })
    this.noteTitle = page.getByRole('textbox', { name: 'Note title' })
    this.noteText = page.getByRole('textbox', { name: 'Note text' })
  }

  async open(area: WorkspaceArea): Promise<void> {
    await this.page.goto(`${this.url}/workspace/${area}`)
    await this.heading.waitFor()
  }

  /** A line of the list on the page. */
  row(name: string): Locator {
    // The areas of the workspace are a list too.
    return this.page.getByRole('main').locator('li:not(nav li)').filter({ hasText: name })
  }

  async choose(name: string, entry: string): Promise<void> {
    await this.page.getByRole('button', { name: `Actions for “${name}”` }).click()
    await this.page.getByRole('menuitem', { name: entry, exact: true }).click()
  }

  async save(): Promise<void> {
    await this.page.getByRole('button', { name: 'Save', exact: true }).click()
  }

  async undo(): Promise<void> {
    await this.page
      .getByRole('region', { name: 'Notifications' })
      .getByRole('button', { name: 'Undo' })
      .last()
      .click()
  }

  async writePrompt({ name, content }: { name: string; content: string }): Promise<void> {
    await this.page.getByRole('button', { name: 'New prompt' }).click()
    await this.dialog.getByLabel('Name').fill(name)
    await this.text.fill(content)
    await this.save()
    await this.dialog.waitFor({ state: 'detached' })
  }

  async tryOut(text: string): Promise<void> {
    await this.preview.getByRole('textbox', { name: 'Test message' }).fill(text)
    await this.preview.getByRole('textbox', { name: 'Test message' }).press('Enter')
  }
}
