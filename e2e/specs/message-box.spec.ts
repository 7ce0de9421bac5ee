import type { Page } from '@playwright/test'
import { expect, test } from '../fixtures.ts'

const WAYS: readonly Parameters<Page['emulateMedia']>[0][] = [
  { colorScheme: 'light', contrast: 'no-preference', forcedColors: 'none' },
  { colorScheme: 'dark', contrast: 'no-preference', forcedColors: 'none' },
  { colorScheme: 'light', contrast: 'more', forcedColors: 'none' },
  { colorScheme: 'dark', contrast: 'no-preference', forcedColors: 'active' },
]

test('the border of the message box is calm at rest and clear in focus, in every set of colours', async ({
  chat,
}) => {
  await chat.open()
  const frame = chat.composer.locator('xpath=ancestor::form[1]')
  for (const way of WAYS) {
    await chat.page.emulateMedia(way)
    await chat.composer.blur()
    await expect(frame).toHaveCSS('outline-style', 'none')
    await expect(frame).toHaveCSS('border-top-width', '1px')
    await chat.composer.focus()
    await expect(frame).toHaveCSS('outline-style', 'solid')
    await expect(frame).toHaveCSS('outline-width', '2px')
  }
})
