import type { Locator, Page } from '@playwright/test'
import type { Account } from '../accounts.ts'

/** The page before sign-in: sign-in, sign-up and waiting for approval. */
export class SignInPage {
  readonly page: Page
  readonly nameBox: Locator
  readonly emailBox: Locator
  readonly passwordBox: Locator
  readonly signInButton: Locator
  readonly createButton: Locator
  readonly problem: Locator
  readonly pendingTitle: Locator
  /** Dialog over the page when a session ended while the user was working. */
  readonly expiredDialog: Locator

  constructor(page: Page) {
    this.page = page
    this.nameBox = page.getByLabel('Name', { exact: true })
    this.emailBox = page.getByLabel('Email', { exact: true })
    this.passwordBox = page.getByLabel('Password', { exact: true })
    this.signInButton = page.getByRole('button', { name: 'Sign in', exact: true })
    this.createButton = page.getByRole('button', { name: 'Create account', exact: true })
    this.problem = page.getByRole('alert')
    this.pendingTitle = page.getByRole('heading', { name: 'Your account is waiting for approval' })
    this.expiredDialog = page.getByRole('dialog', { name: 'Please sign in again' })
  }

  async open(url: string): Promise<void> {
    await this.page.goto(url)
    await this.emailBox.waitFor()
  }

  async signIn({ email, password }: Pick<Account, 'email' | 'password'>): Promise<void> {
    await this.emailBox.fill(email)
    await this.passwordBox.fill(password)
    await this.signInButton.click()
  }

  async signUp({ name, email, password }: Account): Promise<void> {
    await this.nameBox.fill(name)
    await this.emailBox.fill(email)
    await this.passwordBox.fill(password)
    await this.createButton.click()
  }
}
