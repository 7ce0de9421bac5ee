import { callAs } from '../accounts.ts'
import { createChat } from '../chat-api.ts'
import { ArtifactPage } from '../pages/artifact-page.ts'
import { expect, test } from './desktop-app.ts'

test('an artifact runs in the window, and an endless loop of it leaves the window as it is', async ({
  app,
}) => {
  const { chat, page } = app
  const source = '<h1>Here</h1><button onclick="setTimeout(() => { for (;;); }, 100)">Loop</button>'
  await callAs(page)
  await createChat(page.request, app.gateway().url, 'Artifact', {
    question: 'A page?',
    answer: `Here:\n\n\`\`\`html\n${source}\n\`\`\``,
  })
  await chat.chatList.getByRole('link', { name: 'Artifact' }).click()
  const artifact = new ArtifactPage(page)
  await artifact.open(chat.answers.last(), 'page')
  await expect(artifact.frame.getByRole('heading')).toHaveText('Here')
  await artifact.frame.getByRole('button', { name: 'Loop' }).click()
  await expect(artifact.sheet.getByText('The page does not answer.')).toBeVisible({
    timeout: 30_000,
  })
  await artifact.button('Stop the page').first().click()
  await expect(artifact.sheet.locator('iframe')).toHaveCount(0)
})

/** This address is unassigned (RFC 5737), so that a call to it fails, after it is listed. */
const ELSEWHERE = '192.0.2.7'

test('what an artifact calls is listed, and refused once the gateway is sealed', async ({
  app,
}) => {
  const { chat, page } = app
  const { url } = app.gateway()
  const call = `fetch('http://${ELSEWHERE}/data').catch(() => undefined)`
  const source = `<h1>Here</h1><script>setInterval(() => ${call}, 300)</script>`
  await callAs(page)
  await createChat(page.request, url, 'Artifact', {
    question: 'A page?',
    answer: `Here:\n\n\`\`\`html\n${source}\n\`\`\``,
  })
  const list = async () => {
    const reply = await page.request.get(`${url}/api/v1/outgoing`)
    const { items } = (await reply.json()) as { items: Record<string, unknown>[] }
    return items.map(({ host, port, purpose, outcome }) => ({ host, port, purpose, outcome }))
  }
  await chat.chatList.getByRole('link', { name: 'Artifact' }).click()
  const artifact = new ArtifactPage(page)
  await artifact.open(chat.answers.last(), 'page')
  await artifact.sheet.getByRole('button', { name: 'Choose what it may reach' }).click()
  const form = artifact.sheet.getByRole('region', { name: 'What may this page reach?' })
  await form.getByRole('checkbox', { name: `http://${ELSEWHERE}` }).check()
  expect(await list()).toEqual([])
  await form.getByRole('button', { name: 'Allow these' }).click()
  const entry = { host: ELSEWHERE, port: 80, purpose: 'window' }
  await expect.poll(list, { timeout: 30_000 }).toEqual([{ ...entry, outcome: 'open' }])
  await page.request.post(`${url}/api/v1/settings`, { data: { values: { SEALED_MODE: true } } })
  await expect.poll(list).toContainEqual({ ...entry, outcome: 'refused' })
})
