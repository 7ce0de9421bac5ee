import {
  type AudioEngine,
  type AudioEngineCall,
  startAudioEngine,
} from '../../server/testing/start-audio-engine.ts'
import { writeTone } from '../../server/testing/write-tone.ts'
import { ADMIN, settleIn } from '../accounts.ts'
import { expectAccessible } from '../find-faults.ts'
import { expect, test as base, type TestGateway, variablesFor, withAdmin } from '../fixtures.ts'
import { ChatPage } from '../pages/chat-page.ts'
import { speakToFile } from '../speak-to-file.ts'
import { startGateway } from '../start-gateway.ts'
import { VIEWS } from '../views.ts'

/** A gateway with a server for speech and transcription, for all tests of this file. */
interface Studio {
  readonly gateway: TestGateway
  readonly engine: AudioEngine
  readonly set: (values: Record<string, unknown>) => Promise<void>
}

const SPEECH = 'Good morning. Please write me a short letter.'

const test = base.extend<{ talk: ChatPage }, { studio: Studio }>({
  // The fake microphone repeats the same sentence, with silence around it.
  launchOptions: [
    async ({ launchOptions }, use) => {
      const file = speakToFile(SPEECH, { before: 1, after: 4 })
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
  studio: [
    async ({ upstream }, use) => {
      const engine = await startAudioEngine()
      const gateway = await withAdmin(await startGateway(variablesFor(upstream)))
      const set = async (values: Record<string, unknown>): Promise<void> => {
        const reply = await fetch(`${gateway.url}/api/v1/settings`, {
          method: 'POST',
          headers: {
            'Content-Type': 'application/json',
            Authorization: `Bearer ${gateway.adminToken}`,
          },
          body: JSON.stringify({ values }),
        })
        expect(reply.status).toBe(200)
      }
      await use({ gateway, engine, set })
      await gateway.stop()
      await engine.close()
    },
    { scope: 'worker' },
  ],
  talk: async ({ page, studio }, use) => {
    const { engine, gateway, set } = studio
    Object.assign(engine, { fault: null, faults: null, pause: 0, text: 'Write me a letter.' })
    engine.sound = writeTone(0.6)
    engine.calls.length = 0
    await set({
      AUDIO_TTS_ENGINE: 'openai',
      AUDIO_TTS_OPENAI_API_BASE_URL: `${engine.url}/v1`,
      AUDIO_STT_ENGINE: 'openai',
      AUDIO_STT_OPENAI_API_BASE_URL: `${engine.url}/v1`,
      AUDIO_CACHE_SIZE: 0,
    })
    await settleIn(page.context(), gateway, ADMIN)
    await page.context().grantPermissions(['microphone'], { origin: gateway.url })
    await use(new ChatPage(page, gateway.url))
  },
})

const isListening = ({ path }: AudioEngineCall): boolean => path.endsWith('/transcriptions')
const spokenWords = ({ calls }: AudioEngine): unknown[] =>
  calls.filter(({ path }) => path.endsWith('/speech')).map((call) => call.json()['input'])

test('what is dictated by keyboard alone stands in the box, and can be cancelled', async ({
  talk,
  studio: { engine },
}) => {
  const { page } = talk
  await talk.open()
  const dictate = page.getByRole('button', { name: 'Dictate' })
  await dictate.focus()
  await page.keyboard.press('Enter')
  const bar = page.getByRole('group', { name: 'Recording' })
  await expect(bar.getByText('Listening…')).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await expect(bar).toHaveCount(0)
  expect(engine.calls).toEqual([])

  await talk.composer.fill('Dear model.')
  await dictate.click()
  await expect(bar.getByText('Listening…')).toBeVisible()
  await page.waitForTimeout(2500)
  await expect(page.getByRole('button', { name: 'Use recording' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(talk.composer).toHaveValue('Dear model. Write me a letter.')
  await expect(talk.composer).toBeFocused()
  const [sent] = engine.calls.filter(isListening)
  expect(sent!.body.toString('latin1')).toContain('filename="recording.webm"')
  // A recording of speech, not an empty file: the signature of its format, and some seconds of
  // audio.
  expect(sent!.body.includes(Buffer.from('1a45dfa3', 'hex'))).toBe(true)
  expect(sent!.body.length).toBeGreaterThan(8000)
})

test('where the browser records MP4 alone, the engine gets WAV, which every engine reads', async ({
  talk,
  studio: { engine },
}) => {
  const { page } = talk
  await page.addInitScript(() => {
    MediaRecorder.isTypeSupported = (type) => type === 'audio/mp4'
  })
  await talk.open()
  await page.getByRole('button', { name: 'Dictate' }).click()
  await expect(page.getByRole('group', { name: 'Recording' })).toContainText('Listening…')
  await page.waitForTimeout(1500)
  await page.getByRole('button', { name: 'Use recording' }).click()
  await expect(talk.composer).toHaveValue('Write me a letter.')
  const [sent] = engine.calls.filter(isListening)
  expect(sent!.body.toString('latin1')).toContain('filename="recording.wav"')
  expect(sent!.body.includes('RIFF')).toBe(true)
  expect(sent!.body.length).toBeGreaterThan(30_000)
})

test('a refused microphone and a failing engine are told, and the box keeps its text', async ({
  talk,
  studio: { engine },
}) => {
  const { page } = talk
  engine.fault = 'refused'
  await talk.open()
  await talk.composer.fill('Kept')
  await page.getByRole('button', { name: 'Dictate' }).click()
  await page.getByRole('button', { name: 'Use recording' }).click()
  await expect(page.getByRole('alert')).toContainText('You have used up your sounds.')
  await page.getByRole('alert').getByRole('button', { name: 'Close' }).click()
  await page.evaluate(() => {
    navigator.mediaDevices.getUserMedia = () =>
      Promise.reject(new DOMException('Permission denied', 'NotAllowedError'))
  })
  await page.getByRole('button', { name: 'Dictate' }).click()
  await expect(page.getByRole('alert')).toContainText('The microphone was not allowed')
  await expect(talk.composer).toHaveValue('Kept')
})

test('an answer is read aloud sentence by sentence while it is written, and falls silent at once', async ({
  talk,
  studio: { engine, gateway },
}) => {
  const { page } = talk
  await page.goto(`${gateway.url}/settings/voice`)
  await page.getByRole('switch', { name: 'Read answers aloud' }).click()
  await talk.open()
  await talk.send('/sentences 40')
  await expect.poll(() => spokenWords(engine).length).toBeGreaterThanOrEqual(3)
  expect(spokenWords(engine).slice(0, 3)).toEqual([
    'This is sentence number 1.',
    'This is sentence number 2.',
    'This is sentence number 3.',
  ])
  await expect(talk.stopButton).toBeVisible()
  await page.getByRole('button', { name: 'Stop reading' }).click()
  await expect(page.getByRole('button', { name: 'Stop reading' })).toHaveCount(0)
  const said = spokenWords(engine).length
  await page.waitForTimeout(1500)
  expect(spokenWords(engine).length).toBeLessThanOrEqual(said + 1)
  await page.evaluate(() => localStorage.removeItem('voice'))
})

test('a finished answer is read from its button', async ({ talk, studio: { engine } }) => {
  const { page } = talk
  await talk.open()
  await talk.send('/crumbs The first one. `code` and [a link](https://example.org/x).')
  const read = talk.answers.last().getByRole('button', { name: 'Read aloud' })
  await read.click()
  await expect(talk.answers.last().getByRole('button', { name: 'Stop reading' })).toBeVisible()
  await expect(read).toBeVisible()
  expect(spokenWords(engine)).toEqual(['The first one.', 'code and a link.'])
  engine.fault = 'failing'
  await read.click()
  await expect(page.getByText('The machine is on fire.').first()).toBeVisible()
})

test('a call goes on without hands, and whoever speaks interrupts the answer', async ({
  talk,
  studio: { engine },
}) => {
  const { page } = talk
  test.slow()
  engine.text = '/sentences 60'
  engine.sound = writeTone(4)
  await talk.open()
  await page.getByRole('button', { name: 'Start a voice call' }).click()
  const call = page.getByRole('dialog', { name: 'Voice call' })
  await expect(call.getByText('Speaking', { exact: true })).toBeVisible({ timeout: 30_000 })
  await expect(call.getByText('This is sentence number 1.')).toBeVisible()
  await expectAccessible(page)
  const words = engine.calls.filter(isListening).length
  // The microphone speaks again during the answer: the call detects it, and takes it as the next
  // turn.
  await expect
    .poll(() => engine.calls.filter(isListening).length, { timeout: 30_000 })
    .toBe(words + 1)
  await call.getByRole('button', { name: 'Mute microphone' }).click()
  await call.getByRole('button', { name: 'End call' }).click()
  await expect(call).toHaveCount(0)
  await expect(talk.userMessages).toHaveCount(2)
})

test('the browser listens only after its question was answered, and the device speaks with its own voices', async ({
  talk,
  studio: { engine, set },
}) => {
  const { page } = talk
  await set({ AUDIO_TTS_ENGINE: '', AUDIO_STT_ENGINE: '' })
  await page.addInitScript(() => {
    class Recognition extends EventTarget {
      start(): void {
        setTimeout(() => {
          const results = [Object.assign([{ transcript: 'from the browser' }], { isFinal: true })]
          this.dispatchEvent(Object.assign(new Event('result'), { results }))
        }, 300)
      }
      stop(): void {
        this.dispatchEvent(new Event('end'))
      }
      abort(): void {
        this.dispatchEvent(new Event('end'))
      }
    }
    const spoken: string[] = []
    const synthesis = {
      getVoices: () => [{ voiceURI: 'urn:anna', name: 'Anna', lang: 'en-GB' }],
      addEventListener: () => undefined,
      cancel: () => undefined,
      speak(utterance: SpeechSynthesisUtterance) {
        spoken.push(utterance.text)
        setTimeout(() => utterance.dispatchEvent(new Event('end')), 200)
      },
    }
    for (const name of ['SpeechRecognition', 'webkitSpeechRecognition'])
      Object.defineProperty(window, name, { value: Recognition })
    Object.defineProperty(window, 'speechSynthesis', { value: synthesis })
    Object.defineProperty(window, 'spoken', { value: spoken })
  })
  await talk.open()
  const dictate = page.getByRole('button', { name: 'Dictate' })
  await dictate.click()
  const question = page.getByRole('group', { name: 'Use the speech recognition of this browser?' })
  await expect(question).toContainText('may send your voice to the vendor')
  await expectAccessible(page)
  await question.getByRole('button', { name: 'Cancel' }).click()
  await expect(question).toHaveCount(0)
  await dictate.click()
  await question.getByRole('button', { name: 'Use it' }).click()
  await expect(page.getByRole('group', { name: 'Recording' })).toContainText('from the browser')
  await page.getByRole('button', { name: 'Use recording' }).click()
  await expect(talk.composer).toHaveValue('from the browser')

  await talk.send('/crumbs Spoken by this device. And then this.')
  await talk.answers.last().getByRole('button', { name: 'Read aloud' }).click()
  const spoken = (): Promise<unknown> => page.evaluate(() => Reflect.get(window, 'spoken'))
  await expect.poll(spoken).toEqual(['Spoken by this device.', 'And then this.'])
  await expect(page.getByRole('button', { name: 'Stop reading' })).toHaveCount(0)
  // No engine was chosen, so no request was sent to one.
  expect(engine.calls).toEqual([])
  await page.evaluate(() => localStorage.removeItem('voice'))
})

test('an attached recording is read by its words', async ({
  talk,
  upstream,
  studio: { engine },
}) => {
  const { page } = talk
  engine.text = 'The meeting is on Thursday.'
  await talk.open()
  await page.getByTestId('attach-files').setInputFiles({
    name: 'meeting.wav',
    mimeType: 'audio/wav',
    buffer: writeTone(1),
  })
  await expect.poll(() => engine.calls.filter(isListening).length).toBe(1)
  await expect(page.getByText('meeting.wav')).toBeVisible()
  await talk.send('When is it?')
  await expect(talk.answers.last()).toContainText('The document says so')
  expect(upstream.requests.some(({ text }) => text.includes('Thursday'))).toBe(true)
})

test('engines are chosen, tested and changed by an administrator', async ({
  talk,
  studio: { engine, gateway, set },
}) => {
  const { page } = talk
  await set({ AUDIO_TTS_ENGINE: '', AUDIO_STT_ENGINE: '' })
  await page.goto(`${gateway.url}/settings/speech`)
  const speak = page.locator('section', { hasText: 'Engine that speaks' })
  await speak.getByRole('radio', { name: 'OpenAI-style endpoint' }).check()
  await speak.getByRole('textbox', { name: 'Address' }).fill(`${engine.url}/v1`)
  await expect(speak.getByRole('button', { name: 'Test' })).toBeDisabled()
  await speak.getByRole('button', { name: 'Save' }).click()
  await speak.getByRole('button', { name: 'Test' }).click()
  await expect(speak.getByText(/^It works: speech of/)).toBeVisible()
  const listen = page.locator('section', { hasText: 'Engine that listens' })
  await listen.getByRole('radio', { name: 'OpenAI-style endpoint' }).check()
  await listen.getByRole('textbox', { name: 'Address' }).fill(`${engine.url}/v1`)
  await listen.getByRole('button', { name: 'Save' }).click()
  engine.fault = 'unauthorized'
  await listen.getByRole('button', { name: 'Test' }).click()
  await expect(listen.getByRole('alert')).toContainText('refused its key')
  engine.fault = null
  await listen.getByRole('button', { name: 'Test' }).click()
  await expect(listen.getByText(/^It works: “Write me a letter.”/)).toBeVisible()
  await page.goto(`${gateway.url}/settings/voice`)
  await page.getByRole('combobox', { name: 'Voice' }).selectOption('dry')
  await page.getByRole('button', { name: 'Hear a sample' }).click()
  await expect
    .poll(() => engine.calls.findLast(({ path }) => path.endsWith('/speech'))?.json()['voice'])
    .toBe('dry')
  for (const { schemes, width } of VIEWS) {
    await page.setViewportSize({ width, height: 800 })
    await expectAccessible(page, schemes)
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
  }
  await page.evaluate(() => localStorage.removeItem('voice'))
})
