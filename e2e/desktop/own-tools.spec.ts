import { startFakeCompatible } from '../../server/testing/fake-upstream/fake-compatible.ts'
import { callAs } from '../accounts.ts'
import { startKitchen } from '../kitchen-server.ts'
import { OwnToolsPage } from '../pages/own-tools-page.ts'
import { playDialogue } from '../scripted-model.ts'
import { expect, test } from './desktop-app.ts'

test('the window calls a tool server of the person, and nothing else outside of the gateway', async ({
  app,
}) => {
  const upstream = await startFakeCompatible({ models: ['text'], script: playDialogue })
  const kitchen = await startKitchen()
  try {
    const { page, chat } = app
    const connection = {
      ENABLE_OPENAI_API: true,
      OPENAI_API_BASE_URLS: [upstream.url],
      OPENAI_API_KEYS: ['key'],
      OPENAI_API_CONFIGS: {},
    }
    const headers = { 'X-Requested-With': 'chat-gateway' }
    await callAs(page)
    const saved = await page.request.post(`${app.gateway().url}/openai/config/update`, {
      data: connection,
      headers,
    })
    expect(saved.ok()).toBe(true)
    const ownTools = new OwnToolsPage(page, app.gateway().url)
    await ownTools.open()
    await ownTools.add({ name: 'Kitchen', url: kitchen.url, key: 'sesame' })
    await expect(ownTools.card('Kitchen')).toContainText('ready')
    await chat.open()
    await chat.chooseModel('text')
    await page.getByRole('button', { name: /^Tools: / }).click()
    await page.getByRole('switch', { name: 'Kitchen' }).click()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('button', { name: 'Tools: 1 chosen' })).toBeVisible()
    await expect(await chat.ask('/call boil {"pot": "big"}')).toContainText('/pots/big')
    const heard = kitchen.heard.length
    const reached = await page.evaluate(
      (url) =>
        fetch(url, { mode: 'no-cors' }).then(
          () => true,
          () => false,
        ),
      kitchen.url,
    )
    expect(reached).toBe(false)
    expect(kitchen.heard).toHaveLength(heard)
  } finally {
    await upstream.close()
    kitchen.close()
  }
})
