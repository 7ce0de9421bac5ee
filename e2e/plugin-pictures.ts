import type { Page } from '@playwright/test'
import { ChatPage } from './pages/chat-page.ts'
import { PluginsPage } from './pages/plugins-page.ts'
import type { RunningGateway } from './start-gateway.ts'

const ADDER = `"""
title: Adder
description: Adds numbers, so that questions about money need no mental arithmetic.
author: Noor Lindqvist
version: 1.2.0
"""
from typing import Literal

from pydantic import BaseModel, Field


class Tools:
    class Valves(BaseModel):
        bonus: int = Field(default=0, description="Added to every sum")
        api_key: str = Field(default="", description="Key of the service", json_schema_extra={"input": {"type": "password"}})
        rounding: Literal["up", "down", "nearest"] = Field(default="nearest", description="How sums are rounded")
        shout: bool = Field(default=False, description="Answers in capitals")

    class UserValves(BaseModel):
        unit: str = Field(default="EUR", description="What is added")

    def __init__(self):
        self.valves = self.Valves()

    def add(self, a: int, b: int) -> str:
        """
        Adds two numbers.
        :param a: The first
        :param b: The second
        """
        print("adding", a, b)
        return f"The sum is {a + b + self.valves.bonus}"

    def divide(self, a: int, b: int) -> str:
        """Divides two numbers."""
        return str(a / b)
`

const FILTER = `"""
title: Polite ending
description: Adds a line to every answer.
author: somebody of the community
version: 0.3.1
requirements: humanize
"""
from pydantic import BaseModel, Field


class Filter:
    class Valves(BaseModel):
        line: str = Field(default="Ask me anything.", description="What is added")

    def __init__(self):
        self.valves = self.Valves()

    def outlet(self, body: dict) -> dict:
        body["messages"][-1]["content"] += self.valves.line
        return body
`

const PIPE = `"""
title: Weather office
version: 2.0
"""


class Pipe:
    def pipe(self, body: dict) -> str:
        return "Rain, then sun."
`

/** Adds plugins for the pages that list them; the account is an administrator's. */
async function furnish(page: Page, gateway: RunningGateway): Promise<void> {
  const post = (path: string, data: unknown) =>
    page.request.post(`${gateway.url}/api/v1/${path}`, { data })
  const plain = FILTER.replace('requirements: humanize\n', '')
  await post('tools/create', { id: 'adder', name: 'Adder', content: ADDER })
  await post('functions/create', { id: 'polite', name: 'Polite ending', content: plain })
  await post('functions/create', {
    id: 'weather',
    name: 'Weather office',
    content: PIPE,
    meta: { description: 'Forecasts as a model.' },
  })
  const listed = await page.request.get(`${gateway.url}/api/v1/functions/list`)
  const functions = (await listed.json()) as { id: string; is_active: boolean }[]
  const idle = functions.filter(
    ({ id, is_active }) => !is_active && (id === 'polite' || id === 'weather'),
  )
  for (const { id } of idle) await post(`functions/id/${id}/toggle`, {})
}

/**
 * Takes screenshots of the plugin pages: lists, editor with report, settings, console with a fault,
 * and a tool running in a chat.
 */
export async function takePluginPictures(
  page: Page,
  gateway: RunningGateway,
  take: (name: string) => Promise<void>,
): Promise<void> {
  const plugins = new PluginsPage(page, gateway.url)
  await plugins.open('functions', '')
  await plugins.import('polite.py', FILTER)
  await page.getByRole('button', { name: 'Check' }).click()
  await plugins.report.waitFor()
  await take('plugin-report')
  await page.getByRole('button', { name: 'Discard changes' }).click()
  await furnish(page, gateway)
  await plugins.open('functions')
  await page.getByText('Weather office').waitFor()
  await take('plugin-functions')
  await plugins.open('tools')
  await plugins.openMenu('Adder')
  await page.getByRole('menuitem', { name: 'Settings', exact: true }).click()
  await page.getByRole('dialog').getByLabel('Bonus').waitFor()
  await take('plugin-settings')
  await plugins.open('tools', 'adder')
  await take('plugin-editor')
  await plugins.run('divide', { a: 1, b: 0 })
  await plugins.trace.getByLabel('Error', { exact: true }).waitFor()
  await plugins.calls.scrollIntoViewIfNeeded()
  await take('plugin-fault')
  await page.goto(`${gateway.url}/workspace/models?id=aurora-small`)
  await page.getByRole('checkbox', { name: 'Adder' }).scrollIntoViewIfNeeded()
  await take('plugin-model')
  const chat = new ChatPage(page, gateway.url)
  await chat.open()
  const extras = page.getByRole('button', { name: /^Extras on: / })
  const sheet = page.getByRole('button', { name: 'Add and use' })
  for (const way of [extras, sheet]) if (await way.isVisible()) await way.click()
  await page.getByRole('button', { name: /^Tools: / }).click()
  await page.getByRole('switch', { name: 'Adder' }).click()
  await take('plugin-picker')
  await page.keyboard.press('Escape')
  await chat.ask('Please add 2 and 3')
  await chat.ask('Please divide 2 by 0')
  await take('plugin-at-work')
}
