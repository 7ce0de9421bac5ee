import type { Locator, Page } from '@playwright/test'

/** A channel as a user sees it: the list beside it, its messages, its threads. */
export class ChannelPage {
  readonly page: Page
  readonly url: string
  readonly list: Locator
  readonly box: Locator
  readonly threadBox: Locator
  readonly messages: Locator
  readonly thread: Locator
  readonly typing: Locator
  readonly latestButton: Locator
  readonly newLine: Locator
  readonly dialog: Locator
  readonly pins: Locator
  readonly notes: Locator

  constructor(page: Page, url: string) {
    this.page = page
    this.url = url
    this.list = page.getByRole('navigation', { name: 'Chats' })
    this.box = page.getByRole('textbox', { name: 'Message', exact: true })
    this.threadBox = page.getByRole('textbox', { name: 'Reply in thread' })
    this.messages = page.getByRole('log', { name: /^Messages in/ }).getByRole('article')
    this.thread = page.getByRole('complementary', { name: 'Thread' })
    this.typing = page.getByTestId('typing')
    this.latestButton = page.getByRole('button', { name: /Latest messages|new messages?$/ })
    this.newLine = page.getByRole('heading', { name: 'New', exact: true })
    this.dialog = page.getByRole('dialog')
    this.pins = page.getByRole('complementary', { name: 'Pinned messages' })
    this.notes = page.getByRole('region', { name: 'Notifications' }).getByRole('listitem')
  }

  /** Scroll container of the messages. */
  get view(): Locator {
    return this.page.getByRole('log', { name: /^Messages in/ })
  }

  /** Opens the dialog for a new one from the menu of the list, which is there without any channel. */
  async startNew(entry: 'New channel' | 'New direct message'): Promise<void> {
    await this.page.getByRole('button', { name: 'Chat list options' }).click()
    await this.page.getByRole('menuitem', { name: entry }).click()
  }

  row(name: string): Locator {
    return this.list.getByRole('link', { name: new RegExp(name) })
  }

  async open(name: string): Promise<void> {
    await this.row(name).click()
    await this.box.waitFor()
  }

  async openId(id: string): Promise<void> {
    await this.page.goto(`${this.url}/channels/${id}`)
    await this.box.waitFor()
  }

  message(text: string): Locator {
    return this.messages.filter({ hasText: text })
  }

  threadMessage(text: string): Locator {
    return this.thread.getByRole('article').filter({ hasText: text })
  }

  async send(text: string): Promise<void> {
    await this.box.fill(text)
    await this.box.press('Enter')
    await this.message(text).first().waitFor()
  }

  /** Presses one of the buttons that a message shows on hover. */
  async act(message: Locator, name: string | RegExp): Promise<void> {
    await message.hover()
    await message.getByRole('button', { name, exact: typeof name === 'string' }).click()
  }

  /** Chooses an entry in the menu of a message. */
  async choose(message: Locator, entry: string): Promise<void> {
    await this.act(message, 'More actions')
    await this.page.getByRole('menuitem', { name: entry, exact: true }).click()
  }

  /** Chooses an entry in the menu of the channel. */
  async chooseOfChannel(entry: string): Promise<void> {
    await this.page.getByRole('button', { name: /channel actions$/ }).click()
    await this.page.getByRole('menuitem', { name: entry, exact: true }).click()
  }
}
