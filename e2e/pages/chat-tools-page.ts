import type { Locator, Page } from '@playwright/test'

/**
 * Controls around a conversation: find, map, controls, totals, and the mark of a temporary chat.
 */
export class ChatToolsPage {
  readonly page: Page
  readonly findBox: Locator
  readonly map: Locator
  readonly mapRows: Locator
  readonly controls: Locator
  readonly totals: Locator
  readonly temporaryButton: Locator
  readonly temporaryNote: Locator
  readonly saveButton: Locator
  readonly followUps: Locator

  constructor(page: Page) {
    this.page = page
    this.findBox = page.getByRole('textbox', { name: 'Find in this chat' })
    this.map = page.getByRole('complementary', { name: 'Branch map' })
    this.mapRows = this.map.getByRole('listitem').getByRole('button')
    this.controls = page.getByRole('complementary', { name: 'Chat settings' })
    this.totals = page.getByRole('dialog', { name: 'Tokens and cost' })
    this.temporaryButton = page.getByRole('button', { name: 'Temporary chat' })
    this.temporaryNote = page.getByRole('note')
    this.saveButton = page.getByRole('button', { name: 'Save chat' })
    this.followUps = page.getByRole('list', { name: 'Follow-up questions' })
  }

  /** Chooses an entry in the menu of the conversation. */
  async choose(entry: 'Find in this chat' | 'Branch map' | 'Tokens and cost'): Promise<void> {
    await this.page.getByRole('button', { name: 'More chat actions' }).click()
    await this.page.getByRole('menuitem', { name: entry }).click()
  }

  async openControls(): Promise<void> {
    await this.page.getByRole('button', { name: 'Chat settings' }).click()
  }

  /** The line below an answer with its time, tokens and cost. */
  usage(answer: Locator): Locator {
    return answer.getByRole('button', { name: /^Time, tokens and cost/ })
  }
}
