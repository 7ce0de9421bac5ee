import { startModelHub } from '../../server/testing/start-model-hub.ts'
import { createTinySpeechModel, TINY_WORDS } from '../../server/testing/write-tiny-speech-model.ts'
import { ADMIN, settleIn } from '../accounts.ts'
import { expectAccessible } from '../find-faults.ts'
import { expect, test as base, variablesFor, withAdmin } from '../fixtures.ts'
import { ChatPage } from '../pages/chat-page.ts'
import { speakToFile } from '../speak-to-file.ts'
import { startGateway } from '../start-gateway.ts'
import { VIEWS } from '../views.ts'

const test = base.extend({
  launchOptions: [
    async ({ launchOptions }, use) => {
      const file = speakToFile('Good morning.', { before: 1, after: 4 })
      const args = [
        ...(launchOptions.args ?? []),
        '--use-fake-ui-for-media-stream',
        '--use-fake-device-for-media-stream',
        `--use-file-for-fake-audio-capture=${file}`,
      ]
      await use({ ...launchOptions, args })
    },
    { scope: 'worker' },
  ],
})

test('an administrator downloads a speech model, and dictates with it without any other server', async ({
  page,
  upstream,
}) => {
  test.setTimeout(240_000)
  const hub = await startModelHub(createTinySpeechModel(), 'ggml-tiny.bin')
  const gateway = await withAdmin(
    await startGateway({ ...variablesFor(upstream), MODEL_MIRRORS: hub.url }),
  )
  try {
    await settleIn(page.context(), gateway, ADMIN)
    await page.context().grantPermissions(['microphone'], { origin: gateway.url })
    await page.goto(`${gateway.url}/settings/speech`)
    await page
      .getByRole('group', { name: 'Engine' })
      .last()
      .getByRole('radio', { name: 'On the gateway’s computer' })
      .check()
    await page.getByRole('button', { name: 'Save' }).last().click()
    await expect(page.getByRole('heading', { name: 'Speech models', exact: true })).toBeVisible()
    expect(hub.ranges).toEqual([])

    // Without a model the test reports what is missing.
    await page.getByRole('button', { name: 'Test' }).last().click()
    await expect(page.getByText(/is not on the gateway’s computer/)).toBeVisible()

    hub.pace = 400_000
    const offered = page.getByRole('list', { name: 'Suggested speech models' })
    await offered.getByRole('button', { name: /Download “Whisper Tiny”/ }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: /^Pause the download/ }).click()
    await expect(page.getByText('paused')).toBeVisible()
    hub.pace = null
    await page.getByRole('button', { name: /^Continue the download/ }).click()
    const models = page.getByRole('list', { name: 'On the gateway’s computer' })
    await expect(models.getByText('tiny', { exact: true })).toBeVisible()
    await expect(models.getByText('in use')).toBeVisible()
    await page.getByRole('button', { name: 'Test' }).last().click()
    await expect(page.getByText(`It works: “${TINY_WORDS}”`)).toBeVisible({ timeout: 60_000 })
    for (const { schemes, width } of VIEWS) {
      await page.setViewportSize({ width, height: 800 })
      await expectAccessible(page, schemes)
      expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(
        true,
      )
    }
    await page.setViewportSize({ width: 1280, height: 800 })

    const talk = new ChatPage(page, gateway.url)
    await talk.open()
    await page.getByRole('button', { name: 'Dictate' }).click()
    await expect(
      page.getByRole('group', { name: 'Recording' }).getByText('Listening…'),
    ).toBeVisible()
    await page.waitForTimeout(2000)
    await page.getByRole('button', { name: 'Use recording' }).click()
    await expect(talk.composer).toHaveValue(TINY_WORDS, { timeout: 60_000 })
  } finally {
    await gateway.stop()
    await hub.close()
  }
})
