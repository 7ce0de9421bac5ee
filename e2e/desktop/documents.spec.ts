import { readFileSync } from 'node:fs'
import path from 'node:path'
import { startFakeCompatible } from '../../server/testing/fake-upstream/fake-compatible.ts'
import { callAs } from '../accounts.ts'
import { AttachmentsPage } from '../pages/attachments-page.ts'
import { playDialogue } from '../scripted-model.ts'
import { expect, takePicture, test } from './desktop-app.ts'

const REPORT = path.join(
  import.meta.dirname,
  '../../server/retrieval/extraction/fixtures/report.pdf',
)

test('a PDF file is attached in the window, cited in the answer and opened at its page', async ({
  app,
}) => {
  const upstream = await startFakeCompatible({ models: ['text'], script: playDialogue })
  try {
    const { page, chat } = app
    const connection = {
      ENABLE_OPENAI_API: true,
      OPENAI_API_BASE_URLS: [upstream.url],
      OPENAI_API_KEYS: ['key'],
      OPENAI_API_CONFIGS: {},
    }
    await callAs(page)
    const saved = await page.request.post(`${app.gateway().url}/openai/config/update`, {
      data: connection,
      headers: { 'X-Requested-With': 'chat-gateway' },
    })
    expect(saved.ok()).toBe(true)
    await page.reload()
    await chat.chooseModel('text')
    const attachments = new AttachmentsPage(page)
    await attachments.attach({
      name: 'report.pdf',
      mimeType: 'application/pdf',
      content: readFileSync(REPORT),
    })
    await expect(attachments.chip('report.pdf')).toContainText('matching parts', {
      timeout: 20_000,
    })
    const answer = await chat.ask('What does the second page tell about the new pier?')
    await attachments.citation(answer, 1).click()
    await expect(attachments.viewer.locator('mark').first()).toBeVisible()
    await takePicture(page, 'document')
  } finally {
    await upstream.close()
  }
})
