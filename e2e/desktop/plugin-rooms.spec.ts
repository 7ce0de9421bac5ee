import { pluginPython } from '../../server/testing/plugin-python.ts'
import { PluginsPage } from '../pages/plugins-page.ts'
import { expect, takePicture, test } from './desktop-app.ts'

const BROKEN = `"""
title: Divider
description: Divides numbers.
"""


class Tools:
    def divide(self, a: int, b: int) -> str:
        """
        Divides two numbers.
        """
        return str(a / b)
`

test('a tool is written, tried, put right and switched on in the window', async ({ app }) => {
  test.skip(pluginPython === null, 'no Python with pydantic on this machine')
  const { page, chat } = app
  const failures: string[] = []
  page.on('pageerror', (error) => failures.push(error.message))
  const plugins = new PluginsPage(page, chat.url)
  await page.keyboard.press('ControlOrMeta+k')
  await page.keyboard.type('Tools')
  await page.getByRole('option', { name: 'Tools', exact: true }).click()
  await plugins.addTool()
  await plugins.paste(BROKEN)
  await expect(plugins.name).toHaveValue('Divider')
  await page.getByRole('button', { name: 'Check' }).click()
  await expect(plugins.report).toContainText('Everything it imports is available', {
    timeout: 30_000,
  })
  await page.keyboard.press('ControlOrMeta+s')
  await expect(page).toHaveURL(/id=divider$/, { timeout: 30_000 })
  await plugins.run('divide', { a: 1, b: 0 })
  await expect(plugins.trace.getByLabel('Error', { exact: true })).toContainText(
    'division by zero',
    { timeout: 30_000 },
  )
  await takePicture(page, 'plugin-editor')
  await plugins.trace.getByRole('button', { name: 'Go to line 12' }).click()
  await expect(plugins.source).toBeFocused()
  await plugins.paste(BROKEN.replace('a / b', 'a // max(b, 1)'))
  await plugins.save()
  await expect(plugins.unsaved).toHaveCount(0, { timeout: 30_000 })
  await plugins.run('divide', { a: 7, b: 2 })
  await expect(plugins.trace.getByLabel('Result', { exact: true })).toContainText('3', {
    timeout: 30_000,
  })
  await plugins.open('functions')
  await expect(page.getByRole('list', { name: 'Filters and actions' })).toContainText(
    'Guide (not an AI)',
  )
  await takePicture(page, 'plugin-functions')
  await chat.open()
  await page.getByRole('button', { name: /^Tools: / }).click()
  await page.getByRole('switch', { name: 'Divider' }).click()
  await takePicture(page, 'plugin-picker')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: 'Tools: 1 chosen' })).toBeVisible()
  expect(failures).toEqual([])
})
