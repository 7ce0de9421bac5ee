import type { Page } from '@playwright/test'
import { expect, test } from '../fixtures.ts'

const WAYS: readonly Parameters<Page['emulateMedia']>[0][] = [
  { colorScheme: 'light', contrast: 'no-preference', forcedColors: 'none' },
  { colorScheme: 'dark', contrast: 'no-preference', forcedColors: 'none' },
  { colorScheme: 'light', contrast: 'more', forcedColors: 'none' },
  { colorScheme: 'dark', contrast: 'no-preference', forcedColors: 'active' },
]

/** Returns the contrast between the border of an element and the page behind it. */
function contrastOfBorder(element: HTMLElement): number {
  const context = document.createElement('canvas').getContext('2d')!
  const brightness = (colour: string): number => {
    context.clearRect(0, 0, 1, 1)
    context.fillStyle = colour
    context.fillRect(0, 0, 1, 1)
    const [red, green, blue] = [...context.getImageData(0, 0, 1, 1).data].map((value) => {
      const part = value / 255
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
    })
    return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue! + 0.05
  }
  const page = getComputedStyle(document.querySelector('main')!).backgroundColor
  const both = [brightness(getComputedStyle(element).borderTopColor), brightness(page)]
  return Math.max(...both) / Math.min(...both)
}

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
    if (way?.forcedColors === 'active') {
      await expect(frame).toHaveCSS('outline-style', 'solid')
      await expect(frame).toHaveCSS('outline-width', '2px')
    } else await expect.poll(() => frame.evaluate(contrastOfBorder)).toBeGreaterThan(3)
  }
})
