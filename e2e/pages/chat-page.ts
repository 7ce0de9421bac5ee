import { expect, type Locator, type Page } from '@playwright/test'

/** The main screen: conversation and composer. */
export class ChatPage {
  readonly page: Page
  readonly url: string
  readonly composer: Locator
  readonly sendButton: Locator
  readonly stopButton: Locator
  readonly modelButton: Locator
  readonly conversation: Locator
  readonly userMessages: Locator
  readonly answers: Locator
  readonly chatList: Locator
  readonly latestButton: Locator

  constructor(page: Page, url: string) {
    this.page = page
    this.url = url
    this.composer = page.getByRole('textbox', { name: 'Message', exact: true })
    this.sendButton = page.getByRole('button', { name: 'Send', exact: true })
    this.stopButton = page.getByRole('button', { name: 'Stop', exact: true })
    this.modelButton = page.getByRole('button', { name: 'Model: ' })
    this.conversation = page.getByRole('region', { name: 'Conversation' })
    this.userMessages = page.locator('article[data-role="user"]')
    this.answers = page.locator('article[data-role="assistant"]')
    this.chatList = page.getByRole('navigation', { name: 'Chats' })
    this.latestButton = page.getByRole('button', { name: 'Latest messages' })
  }

  async open(path = '/'): Promise<void> {
    await this.page.goto(this.url + path)
    await this.ready()
  }

  /** Waits until a message can be sent. */
  async ready(): Promise<void> {
    await this.composer.waitFor()
    await expect(this.modelButton).not.toHaveAccessibleName('Model: Loading')
  }

  /** Returns the path of the chat on the screen. */
  path(): string {
    return new URL(this.page.url()).pathname
  }

  /** Chooses a model by its name in the picker. */
  async chooseModel(name: string): Promise<void> {
    await this.modelButton.click()
    await this.page.getByRole('combobox', { name: 'Choose a model' }).fill(name)
    await this.page.getByRole('option', { name }).first().click()
    await expect(this.modelButton).toHaveAccessibleName(`Model: ${name}`)
  }

  async send(text: string): Promise<void> {
    await this.composer.fill(text)
    await this.composer.press('Enter')
  }

  /** Waits until an answer that never ends has started. */
  async hasBegun(): Promise<void> {
    await expect(this.answers.last().getByText('Waiting', { exact: true })).toBeVisible()
  }

  /** Requests an answer that starts and never ends. */
  async sendWithoutEnd(): Promise<void> {
    await this.send('/stall')
    await this.hasBegun()
  }

  /**
   * Waits until the conversation has stopped moving, for instance after a key that scrolls
   * smoothly.
   */
  async standsStill(): Promise<void> {
    const tops = () =>
      this.conversation.evaluate(
        (view) =>
          new Promise<number>((resolve) => {
            const before = view.scrollTop
            setTimeout(() => resolve(Math.abs(view.scrollTop - before)), 100)
          }),
      )
    await expect.poll(tops).toBe(0)
  }

  /** Waits until an answer has ended, in whatever way. */
  async finished(answer: Locator = this.answers.last()): Promise<void> {
    await expect(this.more(answer)).toBeVisible()
  }

  /** Returns the id of the last answer; null if there is none. */
  lastAnswerId(): Promise<string | null> {
    return this.answers.evaluateAll((rows) => rows.at(-1)?.getAttribute('data-message-id') ?? null)
  }

  /** Sends a message and waits until its answer is complete. */
  async ask(text: string): Promise<Locator> {
    const before = await this.lastAnswerId()
    await this.send(text)
    // In a longer chat only the last messages are rendered, so that their number is meaningless.
    await expect.poll(() => this.lastAnswerId()).not.toBe(before)
    await this.finished()
    return this.answers.last()
  }

  /** Returns the words of the scripted model that an answer shows now. */
  async words(answer: Locator = this.answers.last()): Promise<readonly string[]> {
    return (await answer.innerText()).match(/word\d+/g) ?? []
  }

  more(message: Locator): Locator {
    return message.getByRole('button', { name: 'More', exact: true })
  }

  copy(message: Locator): Locator {
    return message.getByRole('button', { name: 'Copy', exact: true })
  }

  retry(answer: Locator): Locator {
    return answer.getByRole('button', { name: 'Retry' })
  }

  /** Waits for the form for a rejected key, which takes the place of its shape with a menu of its own. */
  waitForKeyForm(answer: Locator): Promise<void> {
    return answer.getByLabel('API key', { exact: true }).waitFor()
  }

  /** Retries without a new key after one was rejected, which is among the other options. */
  async retryUnchanged(answer: Locator): Promise<void> {
    await this.waitForKeyForm(answer)
    await this.more(answer).click()
    await this.page.getByRole('menuitem', { name: 'Retry' }).click()
  }

  async regenerate(answer: Locator): Promise<void> {
    await answer.getByRole('button', { name: 'Regenerate' }).click()
  }

  /** The group with "Version 2 of 3" as screen readers read it. */
  versions(message: Locator): Locator {
    return message.getByRole('group', { name: 'Versions' })
  }

  async showPreviousVersion(message: Locator): Promise<void> {
    await message.getByRole('button', { name: 'Previous version' }).click()
  }

  async showNextVersion(message: Locator): Promise<void> {
    await message.getByRole('button', { name: 'Next version' }).click()
  }

  /** Opens the editor of a sent message, whose actions show on touch screens after a tap. */
  async startEditing(question: Locator): Promise<Locator> {
    const isTouched = await this.page.evaluate(() => matchMedia('(pointer: coarse)').matches)
    if (isTouched) await question.locator('[dir="auto"]').first().tap()
    else await question.hover()
    await question.getByRole('button', { name: 'Edit' }).click()
    const editor = this.page.getByRole('textbox', { name: 'Edit message' })
    await expect(editor).toBeFocused()
    return editor
  }

  async edit(question: Locator, text: string): Promise<void> {
    const editor = await this.startEditing(question)
    await editor.fill(text)
    await editor.press('Enter')
  }

  /** Chooses "delete from here on" and returns the confirmation dialog. */
  async startDeleting(message: Locator): Promise<Locator> {
    await message.hover()
    await this.more(message).click()
    await this.page.getByRole('menuitem', { name: 'Delete from here on' }).click()
    return this.page.getByRole('dialog', { name: 'Delete from here on?' })
  }

  /** The collapsible section with the model's reasoning. */
  thought(answer: Locator): Locator {
    return answer.getByRole('button', { name: /^Thought/ })
  }
}
