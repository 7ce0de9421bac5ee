import { startPackageIndex } from '../../server/testing/package-index.ts'
import { pluginEnvironment, pluginPython } from '../../server/testing/plugin-python.ts'
import { ADMIN, settleIn } from '../accounts.ts'
import { BOTH_SCHEMES, expectAccessible } from '../find-faults.ts'
import { expect, test } from '../fixtures.ts'
import { ChatPage } from '../pages/chat-page.ts'
import { PluginsPage } from '../pages/plugins-page.ts'

/**
 * Its packages are not listed in its front matter; the second one is needed only when it is called.
 */
const NEEDING = `import demo_count


class Tools:
    def name(self) -> str:
        import demo_later
        return f"{demo_count.NAME} {demo_later.NAME}"
`

const POLITE = `"""
title: Polite ending
description: Adds a line to every answer.
author: somebody of the community
version: 0.3.1
"""
from pydantic import BaseModel, Field


class Filter:
    class Valves(BaseModel):
        line: str = Field(default="Ask me anything.", description="What is added")

    def __init__(self):
        self.valves = self.Valves()

    def outlet(self, body: dict) -> dict:
        print("adding a line")
        body["messages"][-1]["content"] += "\\n\\n" + self.valves.line
        return body
`
const BROKEN = POLITE.replace('self.valves.line\n', 'self.valves.lines\n')
const BROKEN_LINE = BROKEN.split('\n').findIndex((line) => line.includes('valves.lines')) + 1

const NARROW = { width: 360, height: 740 }

test('a filter of the community goes from its source to the answers of one model, and back when it fails', async ({
  page,
  startOwnGateway,
}) => {
  test.skip(pluginPython === null, 'no Python with pydantic on this machine')
  test.setTimeout(90_000)
  const gateway = await startOwnGateway({ ...pluginEnvironment })
  await settleIn(page.context(), gateway, ADMIN)
  const plugins = new PluginsPage(page, gateway.url)

  await test.step('it is pasted, checked and saved under the name it gives itself', async () => {
    await plugins.open('functions', '')
    await expect(plugins.unsaved).toHaveCount(0)
    await plugins.paste(POLITE)
    await expect(plugins.name).toHaveValue('Polite ending')
    await page.getByRole('button', { name: 'Check' }).click()
    await expect(plugins.report).toContainText('Everything it imports is available', {
      timeout: 30_000,
    })
    await expect(plugins.report).toBeInViewport()
    await expectAccessible(page)
    await plugins.save()
    await expect(page).toHaveURL(/id=polite_ending$/, { timeout: 30_000 })
    await expect(plugins.unsaved).toHaveCount(0)
  })

  await test.step('its settings are changed and it is put in use', async () => {
    await page.getByRole('link', { name: 'All filters and actions' }).click()
    await plugins.openMenu('Polite ending')
    await page.getByRole('menuitem', { name: 'Settings', exact: true }).click()
    await page.getByRole('dialog').getByLabel('Line').fill('At your service.')
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await page.getByRole('switch', { name: 'Use “Polite ending”' }).click()
    await expect(page.getByRole('switch', { name: 'Use “Polite ending”' })).toBeChecked()
  })

  const chat = new ChatPage(page, gateway.url)

  await test.step('one model names it', async () => {
    await page.goto(`${gateway.url}/workspace/models?id=text`)
    await page.getByRole('checkbox', { name: /^Polite ending/ }).check()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await expect(plugins.notices.getByText('“text” was saved.')).toBeVisible()
    await chat.open()
    await chat.chooseModel('text')
    await expect(await chat.ask('/echo hello')).toContainText('At your service.')
    await chat.chooseModel('reasoning')
    await expect(await chat.ask('/echo hello')).not.toContainText('At your service.')
  })

  await test.step('a fault in it is found among its last calls, leads to its line and is put right', async () => {
    await plugins.open('functions', 'polite_ending')
    await plugins.paste(BROKEN)
    await page.keyboard.press('ControlOrMeta+s')
    await expect(plugins.notices.getByText('“Polite ending” was saved.')).toBeVisible({
      timeout: 30_000,
    })
    await chat.open()
    await chat.chooseModel('text')
    await chat.ask('/echo once more')
    await plugins.open('functions', 'polite_ending')
    await plugins.calls.getByRole('listitem').first().getByText('failed').click()
    await expect(plugins.calls.getByLabel('Error', { exact: true })).toContainText('lines')
    await expect(plugins.calls.getByLabel('Printed and logged', { exact: true })).toContainText(
      'adding a line',
    )
    await expectAccessible(page)
    await plugins.calls.getByRole('button', { name: `Go to line ${BROKEN_LINE}` }).click()
    await expect(plugins.source).toBeFocused()
    expect(await page.evaluate(() => getSelection()?.toString())).toContain('self.valves.lines')
    await plugins.paste(POLITE)
    await plugins.save()
    await plugins.run('outlet', { messages: [{ role: 'assistant', content: 'Hello.' }] })
    await expect(plugins.trace.getByLabel('Result', { exact: true })).toContainText(
      'At your service.',
      { timeout: 30_000 },
    )
  })
})

test('a source that was not saved waits for whoever wrote it, and can be discarded', async ({
  page,
  startOwnGateway,
}) => {
  test.skip(pluginPython === null, 'no Python with pydantic on this machine')
  const gateway = await startOwnGateway({ ...pluginEnvironment })
  await settleIn(page.context(), gateway, ADMIN)
  const plugins = new PluginsPage(page, gateway.url)
  await plugins.open('tools')
  await plugins.addTool()
  await plugins.paste('class Tools:\n    pass\n')
  await plugins.name.fill('Half done')
  await page.getByRole('link', { name: 'All tools' }).click()
  await plugins.addTool()
  await expect(plugins.name).toHaveValue('Half done')
  await expect(plugins.source).toContainText('pass')
  await page.getByRole('button', { name: 'Discard changes' }).click()
  await expect(plugins.name).toHaveValue('')
  await expect(plugins.source).toContainText('Counts words')
  await expect(plugins.unsaved).toHaveCount(0)
})

test('a package that a plugin needs and does not ask for is installed on the spot, for its import and for its call', async ({
  page,
  startOwnGateway,
}) => {
  test.skip(pluginPython === null, 'no Python with pydantic on this machine')
  test.setTimeout(180_000)
  const index = await startPackageIndex()
  try {
    index.add('demo_count')
    index.add('demo_later')
    const gateway = await startOwnGateway({ ...index.environment })
    await settleIn(page.context(), gateway, ADMIN)
    const plugins = new PluginsPage(page, gateway.url)
    await plugins.open('tools', '')
    await plugins.paste(NEEDING)
    await plugins.name.fill('Needing')
    await plugins.save()
    await expect(plugins.packages).toContainText('demo-count', { timeout: 60_000 })
    await expect(page.getByRole('alert').first()).toContainText('needs the package demo-count')
    await expectAccessible(page)
    const held = index.hold('demo_count')
    await plugins.packages.getByRole('button', { name: 'Install demo-count' }).click()
    await plugins.packages.getByRole('button', { name: 'Stop installation' }).click()
    await expect(plugins.packages).toContainText('The installation was stopped.', {
      timeout: 30_000,
    })
    held.letGo()
    await plugins.packages.getByRole('button', { name: 'Install demo-count' }).click()
    await expect(plugins.notices.getByText('“Needing” was saved.')).toBeVisible({ timeout: 60_000 })
    await expect(page).toHaveURL(/id=needing$/)
    await plugins.run('name', {})
    await expect(plugins.trace.getByLabel('Error', { exact: true })).toContainText(
      "No module named 'demo_later'",
      { timeout: 30_000 },
    )
    await plugins.packages.getByRole('button', { name: 'Install demo-later' }).click()
    await expect(plugins.packages).toHaveCount(0, { timeout: 60_000 })
    await plugins.run('name', {})
    await expect(plugins.trace.getByLabel('Result', { exact: true })).toContainText(
      'demo_count demo_later',
      { timeout: 30_000 },
    )
  } finally {
    await index.close()
  }
})

test('the rooms of plugins are accessible, wide and narrow', async ({ page, startOwnGateway }) => {
  test.skip(pluginPython === null, 'no Python with pydantic on this machine')
  const gateway = await startOwnGateway({ ...pluginEnvironment })
  await settleIn(page.context(), gateway, ADMIN)
  const plugins = new PluginsPage(page, gateway.url)
  await plugins.open('tools', '')
  await plugins.save()
  await expect(plugins.name).toBeFocused()
  await plugins.name.fill('Counter')
  await plugins.save()
  await expect(page).toHaveURL(/id=counter$/, { timeout: 30_000 })
  await plugins.run('count_words', { text: 'one two' })
  await expect(plugins.trace.getByLabel('Result', { exact: true })).toContainText('2 words', {
    timeout: 30_000,
  })
  await expectAccessible(page, BOTH_SCHEMES)
  await page.setViewportSize(NARROW)
  await expectAccessible(page, BOTH_SCHEMES)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(
    NARROW.width,
  )
  await plugins.open('tools')
  await expect(page.getByRole('button', { name: 'Counter', exact: true })).toBeVisible()
  await expectAccessible(page, BOTH_SCHEMES)
  await page.goto(`${gateway.url}/workspace/models?id=text`)
  await page.getByRole('checkbox', { name: 'Counter' }).waitFor()
  await expectAccessible(page, BOTH_SCHEMES)
})
