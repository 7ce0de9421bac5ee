import type { Locator, Page } from '@playwright/test'

export const ADMIN_PAGES = [
  'users',
  'groups',
  'permissions',
  'announcements',
  'requests',
  'outgoing',
  'analytics',
  'api',
] as const
export type AdminPageName = (typeof ADMIN_PAGES)[number]

interface Person {
  readonly name: string
  readonly email: string
  readonly password: string
  readonly role: string
}

/** The settings pages for administrators only. */
export class AdminPages {
  readonly page: Page
  readonly url: string
  readonly main: Locator
  readonly heading: Locator
  readonly userSearch: Locator
  readonly requestSearch: Locator

  constructor(page: Page, url: string) {
    this.page = page
    this.url = url
    this.main = page.getByRole('main')
    this.heading = page.getByRole('heading', { level: 1 })
    this.userSearch = page.getByRole('searchbox', { name: 'Search by name or email' })
    this.requestSearch = page.getByRole('searchbox', { name: 'Search by path' })
  }

  async open(name: AdminPageName): Promise<void> {
    await this.page.goto(`${this.url}/settings/${name}`)
    await this.heading.waitFor()
  }

  /** The row of an account or of a recorded call. */
  row(text: string): Locator {
    return this.page.getByRole('row').filter({ hasText: text })
  }

  /** A short notification. */
  note(text: string): Locator {
    return this.page
      .getByRole('region', { name: 'Notifications' })
      .getByRole('listitem')
      .filter({ hasText: text })
  }

  dialog(name: string | RegExp): Locator {
    return this.page.getByRole('dialog', { name })
  }

  async chooseAction(person: string, action: string): Promise<void> {
    await this.page.getByRole('button', { name: `Actions for ${person}` }).click()
    await this.page.getByRole('menuitem', { name: action }).click()
  }

  /** The message for a person with a new account. */
  invitation(name: string): Locator {
    return this.dialog(`${name} was added`)
  }

  /** Adds an account; its invitation stays open. */
  async addPerson(person: Person): Promise<void> {
    await this.page.getByRole('button', { name: 'Add person' }).click()
    const form = this.dialog('Add person')
    await form.getByLabel('Name', { exact: true }).fill(person.name)
    await form.getByLabel('Email').fill(person.email)
    await form.getByLabel('Role').selectOption(person.role)
    await form.getByLabel('Password', { exact: true }).fill(person.password)
    await form.getByRole('button', { name: 'Add person' }).click()
  }

  async createGroup(name: string): Promise<void> {
    await this.page.getByRole('button', { name: 'New group' }).click()
    const form = this.dialog('New group')
    await form.getByLabel('Group name').fill(name)
    await form.getByRole('button', { name: 'New group' }).click()
    await form.waitFor({ state: 'hidden' })
  }

  async addMember(name: string): Promise<void> {
    await this.page.getByRole('button', { name: 'Add member' }).click()
    await this.page.getByPlaceholder('Find people and groups').fill(name)
    await this.page.getByRole('option').filter({ hasText: name }).click()
  }

  permission(name: string): Locator {
    return this.page.getByRole('switch', { name })
  }

  /** An API operation in its list. */
  operation(text: string): Locator {
    return this.main.getByRole('button').filter({ hasText: text })
  }
}
