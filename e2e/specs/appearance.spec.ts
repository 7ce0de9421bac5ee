import { BOTH_SCHEMES, expectAccessible } from '../find-faults.ts'
import { expect, test } from '../fixtures.ts'

test('high contrast and an accent are chosen at once, kept, and readable in both schemes', async ({
  settings,
}) => {
  const { page } = settings
  await settings.open('appearance')
  const root = page.locator('html')
  const saved = page.waitForResponse(
    (response) =>
      response.url().endsWith('/user/settings/update') &&
      response.request().postData()?.includes('violet') === true,
  )
  await page.getByRole('radio', { name: 'High contrast' }).check()
  await page.getByRole('radio', { name: 'Violet' }).check()
  await expect(root).toHaveAttribute('data-contrast', 'more')
  await expect(root).toHaveAttribute('data-accent', 'violet')
  await saved
  await page.reload()
  await expect(page.getByRole('radio', { name: 'Violet' })).toBeChecked()
  await expect(root).toHaveAttribute('data-contrast', 'more')
  await expectAccessible(page, BOTH_SCHEMES)
  await page.getByRole('radio', { name: 'Light', exact: true }).check()
  await expect(root).toHaveAttribute('data-contrast', 'normal')
  await page.emulateMedia({ contrast: 'more' })
  await expect(root).toHaveAttribute('data-contrast', 'more')
})
