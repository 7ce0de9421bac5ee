import type { Page } from '@playwright/test'
import { expect, test } from '../fixtures.ts'

/** Returns a picture of a single colour as a `data:` URL. */
const draw = (page: Page, width: number, height: number): Promise<string> =>
  page.evaluate(
    ([wide, high]) => {
      const canvas = document.createElement('canvas')
      canvas.width = wide!
      canvas.height = high!
      const context = canvas.getContext('2d')!
      context.fillStyle = '#3366cc'
      context.fillRect(0, 0, wide!, high!)
      return canvas.toDataURL('image/png')
    },
    [width, height],
  )

test('a small picture opens in a small sheet, is enlarged by keys and buttons, and its neighbours are reached', async ({
  chat,
}) => {
  await chat.open()
  const { page } = chat
  const small = await draw(page, 120, 80)
  const large = await draw(page, 900, 1400)
  const alone = await chat.ask(`/echo ![dot](${small})`)
  await alone.getByRole('button', { name: 'Enlarge dot' }).click()
  const sheet = page.getByRole('dialog', { name: 'Image' })
  const picture = sheet.getByRole('img', { name: 'dot' })
  await expect(picture).toBeVisible()
  const size = (await sheet.boundingBox())!
  expect(size.width).toBeLessThan(500)
  expect(size.height).toBeLessThan(300)
  await page.keyboard.press('+')
  await expect(sheet.getByText('150%')).toBeVisible()
  await sheet.getByRole('button', { name: 'Zoom in' }).click()
  await expect(picture).toHaveCSS('width', '240px')
  await page.keyboard.press('0')
  await expect(picture).toHaveCSS('width', '120px')
  const download = page.waitForEvent('download')
  await sheet.getByRole('button', { name: 'Download' }).click()
  await download
  await page.keyboard.press('Escape')

  const several = await chat.ask(`/echo ![first](${small})\n\n![second](${large})`)
  await several.getByRole('button', { name: 'Enlarge first' }).click()
  await expect(sheet.getByText('1 of 2')).toBeVisible()
  await page.keyboard.press('ArrowRight')
  const second = sheet.getByRole('img', { name: 'second' })
  await expect(second).toBeVisible()
  const { y, height } = (await second.boundingBox())!
  expect(y + height).toBeLessThanOrEqual(page.viewportSize()!.height)
  await page.setViewportSize({ width: 390, height: 800 })
  const box = (await sheet.boundingBox())!
  expect(box.x + box.width).toBeLessThanOrEqual(390)
})
