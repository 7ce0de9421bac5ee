import type { Locator, Page } from '@playwright/test'

/** The main screen: chat list, conversation and composer. */
export class ChatPage {
  readonly page: Page
  readonly url: string
  readonly composer: Locator
  readonly sendButton: Locator
  readonly stopButton: Locator
  readonly userMessages: Locator
  readonly answers: Locator
  readonly chatList: Locator

  constructor(page: Page, url: string) {
    this.page = page
    this.url = url
    this.composer = page.getByRole('textbox', { name: 'Message', exact: true })
    this.sendButton = page.getByRole('button', { name: 'Send', exact: true })
    this.stopButton = page.getByRole('button', { name: 'Stop', exact: true })
    this.userMessages = page.locator('article[data-role="user"]')
    this.answers = page.locator('article[data-role="assistant"]')
    this.chatList = page.getByRole('navigation', { name: 'Chats' })
  }

  async open(path = '/'): Promise<void> {
    await this.page.goto(this.url + path)
    await this.composer.waitFor()
  }

  /** Chooses a model by its id or name in the picker. */
  async chooseModel(name: string): Promise<void> {
    await this.page.getByRole('button', { name: /^Model:/ }).click()
    await this.page.getByRole('combobox').fill(name)
    await this.page
      .getByRole('option', { name: new RegExp(name) })
      .first()
      .click()
  }

  async send(text: string): Promise<void> {
    await this.composer.fill(text)
    await this.composer.press('Enter')
  }

  /** Sends a message and waits until its answer is complete. */
  async ask(text: string): Promise<Locator> {
    await this.send(text)
    await this.stopButton.waitFor({ state: 'visible' }).catch(() => undefined)
    await this.stopButton.waitFor({ state: 'hidden' })
    return this.answers.last()
  }
}
