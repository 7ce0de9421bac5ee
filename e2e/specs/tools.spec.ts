import { createRequire } from 'node:module'
import path from 'node:path'
import { pluginEnvironment, pluginPython } from '../../server/testing/plugin-python.ts'
import { ADMIN, settleIn } from '../accounts.ts'
import { expectAccessible } from '../find-faults.ts'
import { expect, test } from '../fixtures.ts'
import { ChatPage } from '../pages/chat-page.ts'

const require = createRequire(import.meta.url)
const everything = path.join(
  path.dirname(require.resolve('@modelcontextprotocol/server-everything/package.json')),
  'dist/index.js',
)

const SOURCE = `"""
title: Adder
description: Adds numbers.
"""
from pydantic import BaseModel, Field


class Tools:
    class Valves(BaseModel):
        bonus: int = Field(default=0, description="Added to every sum")

    def __init__(self):
        self.valves = self.Valves()

    def add(self, a: int, b: int) -> int:
        """
        Adds two numbers.
        :param a: The first
        :param b: The second
        """
        print("adding")
        return a + b + self.valves.bonus
`

const NO_PYTHON = 'no Python with pydantic on this machine'

test('a tool is imported, checked, saved, set up and tried', async ({ page, startOwnGateway }) => {
  test.skip(pluginPython === null, NO_PYTHON)
  const gateway = await startOwnGateway({ ...pluginEnvironment })
  await settleIn(page.context(), gateway, ADMIN)
  await page.goto(`${gateway.url}/workspace/tools`)
  await expect(page.getByText('No tool written in Python yet.')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Add tool', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Python code' }).click()
  await page
    .getByTestId('plugin-file')
    .setInputFiles({ name: 'adder.py', mimeType: 'text/x-python', buffer: Buffer.from(SOURCE) })
  await expect(page.getByLabel('Source')).toContainText('Adds two numbers')
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Adder')
  await page.getByRole('button', { name: 'Check' }).click()
  await expect(page.getByRole('region', { name: 'About this plugin' })).toContainText(
    'Everything it imports is available',
    {
      timeout: 30_000,
    },
  )
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page).toHaveURL(/id=adder$/, { timeout: 30_000 })
  await page.getByLabel('Function').selectOption('add')
  await page.getByLabel('Arguments as JSON').fill('{"a": 2, "b": 3}')
  await page.getByRole('button', { name: 'Run' }).click()
  const trace = page.getByRole('region', { name: 'What happened' })
  await expect(trace.getByLabel('Result', { exact: true })).toContainText('5', { timeout: 30_000 })
  await expect(trace.getByLabel('Printed and logged', { exact: true })).toContainText('adding')
  await expectAccessible(page)

  await page.getByRole('link', { name: 'All tools' }).click()
  await page.getByRole('button', { name: 'Actions for “Adder”' }).click()
  await page.getByRole('menuitem', { name: 'Settings', exact: true }).click()
  await page.getByRole('dialog').getByRole('spinbutton').fill('10')
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('dialog')).toHaveCount(0)

  const chat = new ChatPage(page, gateway.url)
  await chat.open()
  await page.getByRole('button', { name: /^Tools: / }).click()
  await page.getByRole('switch', { name: 'Adder' }).click()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: 'Tools: 1 chosen' })).toBeVisible()
})

test('code that does not load is refused with what Python said', async ({
  page,
  startOwnGateway,
}) => {
  test.skip(pluginPython === null, NO_PYTHON)
  const gateway = await startOwnGateway({ ...pluginEnvironment })
  await settleIn(page.context(), gateway, ADMIN)
  await page.goto(`${gateway.url}/workspace/tools?id=`)
  const broken = {
    name: 'broken.py',
    mimeType: 'text/x-python',
    buffer: Buffer.from('class Tools:\n    x = undefined_name\n'),
  }
  await page.getByTestId('plugin-file').setInputFiles(broken)
  await page.getByLabel('Name', { exact: true }).fill('Broken')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('alert')).toContainText('undefined_name', { timeout: 30_000 })
})

test('an MCP program is added from the usual JSON, and its tools are listed', async ({
  page,
  startOwnGateway,
}) => {
  const gateway = await startOwnGateway()
  await settleIn(page.context(), gateway, ADMIN)
  await page.goto(`${gateway.url}/workspace/tools`)
  await page.getByText('No server yet.').waitFor()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Add tool', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Settings copied from another program' }).click()
  const description = {
    mcpServers: { everything: { command: process.execPath, args: [everything] } },
  }
  await page.getByRole('textbox', { name: 'JSON' }).fill(JSON.stringify(description))
  await page.getByRole('button', { name: 'Read' }).click()
  await expect(page.getByRole('dialog')).toContainText('starts:')
  await page.getByRole('button', { name: 'Add 1 server' }).click()
  const card = page.getByRole('list', { name: 'From servers' }).getByRole('listitem')
  await expect(card).toContainText('ready', { timeout: 30_000 })
  await card.getByText(/^\d+ tools$/).click()
  await expect(card).toContainText('echo')
  await expectAccessible(page)
})
