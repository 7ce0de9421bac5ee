import { startAudioEngine } from '../../server/testing/start-audio-engine.ts'
import { speakToFile } from '../speak-to-file.ts'
import { expect, takePicture, test as base } from './desktop-app.ts'

/** The microphone hears a sentence between silences, again and again. */
const test = base.extend({
  // oxlint-disable-next-line no-empty-pattern -- the test runner demands a destructured first argument
  electronOptions: async ({}, use) => {
    const file = speakToFile('Good morning. Please write me a letter.', { before: 1, after: 3 })
    await use(['--use-fake-device-for-media-stream', `--use-file-for-fake-audio-capture=${file}`])
  },
})

test('what is said into the microphone of the window becomes text in the message box', async ({
  app,
}) => {
  const { page, chat } = app
  const engine = await startAudioEngine()
  engine.text = 'Write me a letter.'
  const dictate = page.getByRole('button', { name: 'Dictate' })
  // Without an engine nothing listens: the window has no recognition of a vendor to offer.
  expect(await page.evaluate(() => 'webkitSpeechRecognition' in window)).toBe(true)
  await expect(dictate).toHaveAttribute('aria-disabled', 'true')

  const saved = await page.evaluate(async (url) => {
    const reply = await fetch('/api/v1/settings', {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        'X-Session-Key': localStorage.getItem('session-key')!,
      },
      body: JSON.stringify({
        values: { AUDIO_STT_ENGINE: 'openai', AUDIO_STT_OPENAI_API_BASE_URL: `${url}/v1` },
      }),
    })
    return reply.status
  }, engine.url)
  expect(saved).toBe(200)
  await page.addInitScript(() => {
    const { mediaDevices } = navigator
    const open = mediaDevices.getUserMedia.bind(mediaDevices)
    Reflect.set(window, 'opened', 0)
    mediaDevices.getUserMedia = (wanted) => {
      Reflect.set(window, 'opened', Number(Reflect.get(window, 'opened')) + 1)
      return open(wanted)
    }
  })
  await chat.open()
  await expect(dictate).not.toHaveAttribute('aria-disabled', 'true')
  const opened = (): Promise<unknown> => page.evaluate(() => Reflect.get(window, 'opened'))
  expect(await opened()).toBe(0)

  await dictate.click()
  const bar = page.getByRole('group', { name: 'Recording' })
  await expect(bar.getByText('Listening…')).toBeVisible()
  expect(await opened()).toBe(1)
  await takePicture(page, 'dictation')
  await page.getByRole('button', { name: 'Use recording' }).click()
  await expect(chat.composer).toHaveValue('Write me a letter.')
  const [sent] = engine.calls.filter(({ path }) => path.endsWith('/transcriptions'))
  expect(sent!.body.toString('latin1')).toContain('filename="recording.webm"')
  await engine.close()
})
