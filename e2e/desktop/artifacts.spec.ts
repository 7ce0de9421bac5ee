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
