import type { Locator } from '@playwright/test'

/** The form for adding or changing a connection. */
export class ConnectionForm {
  readonly root: Locator
  readonly kind: Locator
  readonly address: Locator
  readonly key: Locator
  readonly name: Locator
  readonly prefix: Locator
  readonly models: Locator
  readonly verifyButton: Locator
  readonly saveButton: Locator
  /** Result of testing the connection. */
  readonly result: Locator

  constructor(root: Locator) {
    this.root = root
    this.kind = root.getByLabel('Type', { exact: true })
    this.address = root.getByLabel('Address', { exact: true })
    this.key = root.getByLabel('API key', { exact: true })
    this.name = root.getByLabel('Name', { exact: true })
    this.prefix = root.getByLabel('Prefix', { exact: true })
    this.models = root.getByLabel('Models to show', { exact: true })
    this.verifyButton = root.getByRole('button', { name: 'Test', exact: true })
    this.saveButton = root.locator('button[type="submit"]')
    this.result = root.getByRole('status')
  }

  /** Tests the connection with the values in the form. */
  async verify(): Promise<void> {
    await this.verifyButton.click()
  }

  async showMore(): Promise<void> {
    await this.root.getByText('More settings', { exact: true }).click()
  }
}
