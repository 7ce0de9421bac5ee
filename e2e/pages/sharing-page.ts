import { expect, type Locator, type Page } from '@playwright/test'

/** Settings, Sharing. */
export class SharingPage {
  readonly page: Page
  readonly url: string
  readonly switch: Locator

  constructor(page: Page, url: string) {
    this.page = page
    this.url = url
    this.switch = page.getByRole('switch', { name: 'Share with my network' })
  }

  async open(): Promise<void> {
    await this.page.goto(`${this.url}/settings/sharing`)
    await this.switch.waitFor()
  }

  async turnOn(): Promise<void> {
    await this.switch.click()
    await expect(this.switch).toBeChecked()
    await this.page.getByText('Open on the other device').waitFor()
  }

  async turnOff(): Promise<void> {
    await this.switch.click()
    await expect(this.switch).not.toBeChecked()
  }

  /** Returns the first shared URL. */
  async address(): Promise<string> {
    return (await this.page.getByText(/^https:\/\/127\.0\.0\.1:\d+$/).textContent())!
  }

  /** Creates a pass; returns the link for the guest. */
  async invite(pass: {
    name: string
    models: readonly string[]
    hours: number
    messages: number
  }): Promise<string> {
    await this.page.getByRole('button', { name: 'Invite a guest' }).click()
    const dialog = this.page.getByRole('dialog')
    await dialog.getByLabel('Name').fill(pass.name)
    for (const model of pass.models)
      await dialog.getByRole('checkbox', { name: model, exact: true }).check()
    await dialog.getByLabel('Hours').fill(String(pass.hours))
    await dialog.getByLabel('Messages').fill(String(pass.messages))
    await dialog.getByRole('button', { name: 'Create pass' }).click()
    await dialog.getByRole('img', { name: 'QR code for' }).waitFor()
    const link = (await dialog.getByText(/#guest=/).textContent())!
    await dialog.getByRole('button', { name: 'Done' }).click()
    return link
  }
}
