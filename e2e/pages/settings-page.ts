import type { Locator, Page } from '@playwright/test'
import { ConnectionForm } from './connection-form.ts'

export const SETTINGS_PAGES = [
  'account',
  'appearance',
  'voice',
  'speech',
  'connections',
  'local-models',
  'keys',
  'data',
  'gateway',
  'about',
] as const
export type SettingsPageName = (typeof SETTINGS_PAGES)[number]

/** The settings with their pages. */
export class SettingsPage {
  readonly page: Page
  readonly url: string
  readonly pages: Locator
  readonly searchBox: Locator
  readonly heading: Locator
  readonly backLink: Locator
  readonly newConnection: ConnectionForm
  readonly keyName: Locator
  readonly createKeyButton: Locator
  readonly newKeyDialog: Locator
  readonly settingSearch: Locator

  constructor(page: Page, url: string) {
    this.page = page
    this.url = url
    this.pages = page.getByRole('navigation', { name: 'Settings' })
    this.searchBox = page.getByRole('searchbox', { name: 'Search settings' })
    this.heading = page.getByRole('heading', { level: 1 })
    this.backLink = page.getByRole('link', { name: 'Back to chats' })
    this.newConnection = new ConnectionForm(page.getByRole('dialog', { name: 'Add connection' }))
    this.keyName = page.getByLabel('Key name')
    this.createKeyButton = page.getByRole('button', { name: 'New key' })
    this.newKeyDialog = page.getByRole('dialog', { name: 'Your new key' })
    this.settingSearch = page.getByRole('searchbox', { name: 'Search by name or purpose' })
  }

  async open(name: SettingsPageName): Promise<void> {
    await this.page.goto(`${this.url}/settings/${name}`)
    await this.heading.waitFor()
  }

  /** Opens a page from the list, whose topics may be folded. */
  async goTo(title: string): Promise<void> {
    const link = this.pages.getByRole('link', { name: title, exact: true })
    const folded = this.pages.getByRole('button', { expanded: false })
    while ((await link.count()) === 0 && (await folded.count()) > 0) await folded.first().click()
    await link.click()
  }

  /** A short notification. */
  note(text: string): Locator {
    return this.page
      .getByRole('region', { name: 'Notifications' })
      .getByRole('listitem')
      .filter({ hasText: text })
  }

  /** One of a few alternatives, such as "Dark" under "Theme". */
  choice(group: string, value: string): Locator {
    return this.page
      .getByRole('group', { name: group, exact: true })
      .getByRole('radio', { name: value, exact: true })
  }

  async startAddingConnection(): Promise<ConnectionForm> {
    await this.page.getByRole('button', { name: 'Add connection' }).click()
    await this.newConnection.root.getByRole('button', { name: 'Another provider' }).click()
    return this.newConnection
  }

  connection(name: string): Locator {
    return this.page.getByRole('main').getByRole('listitem').filter({ hasText: name })
  }

  async chooseForConnection(
    name: string,
    entry: 'Edit' | 'Remove' | 'Discard changes',
  ): Promise<void> {
    await this.page.getByRole('button', { name: `Actions for “${name}”` }).click()
    await this.page.getByRole('menuitem', { name: entry, exact: true }).click()
  }

  key(name: string): Locator {
    return this.page.getByRole('main').getByRole('listitem').filter({ hasText: name })
  }

  /** Creates a key, closes the dialog that shows it and returns the secret. */
  async createKey(name: string): Promise<string> {
    await this.keyName.fill(name)
    await this.createKeyButton.click()
    const secret = await this.newKeyDialog.locator('code').innerText()
    await this.newKeyDialog.getByRole('button', { name: 'Done' }).click()
    return secret
  }

  /** A row of the gateway's settings, by its key. */
  setting(key: string): Locator {
    return this.page
      .getByRole('main')
      .getByRole('listitem')
      .filter({ has: this.page.getByText(key, { exact: true }) })
  }
}
