import { expect, test, vi } from 'vitest'
import type { AudioFault } from '../testing/start-audio-engine.ts'
import { startAudio } from '../testing/start-audio.ts'

const BOUNDS = { AUDIO_MAX_SIZE: '1', AUDIO_IDLE_TIMEOUT: '1', AUDIO_TIMEOUT: '2' }

const detailOf = async (reply: Response): Promise<string> =>
  ((await reply.json()) as { detail: string }).detail

test.each<readonly [AudioFault, number, RegExp]>([
  ['page', 502, /something that is no sound/],
  ['bomb', 502, /packed its answer/],
  ['redirect', 502, /redirects to another address/],
  ['empty', 502, /without sound/],
  ['cut-at-once', 502, /broke off its answer/],
  ['silent', 504, /fell silent/],
  ['refused', 429, /^External: You have used up your sounds\.$/],
  [
    'unauthorized',
    502,
    /^External: The audio engine refused its key \(status 401\)\. Invalid key \S* ?\[redacted\]$/,
  ],
  ['failing', 500, /^External: The machine is on fire\.$/],
])(
  'an engine that is %s while it should speak is refused in words',
  async (fault, status, words) => {
    const { engine, speak } = await startAudio({}, BOUNDS)
    engine.fault = fault
    const reply = await speak({ input: 'Hello' })
    expect([reply.status, await detailOf(reply)]).toEqual([status, expect.stringMatching(words)])
    // None of the partial result was kept for the next call.
    engine.fault = null
    expect(Buffer.from(await (await speak({ input: 'Hello' })).arrayBuffer())).toEqual(engine.sound)
  },
)

test.each<AudioFault>(['cut', 'stalled', 'endless'])(
  'sound that is %s does not look whole, is bounded, and is not kept',
  async (fault) => {
    const { engine, speak } = await startAudio({}, BOUNDS)
    engine.fault = fault
    const reply = await speak({ input: 'Hello' })
    let bytes = 0
    const reading = (async () => {
      for await (const piece of reply.body!) bytes += piece.length
    })()
    await expect(reading).rejects.toThrow(/terminated/)
    expect(bytes).toBeLessThanOrEqual(1_000_000)
    await vi.waitFor(() => expect(engine.left).toBe(1))
    engine.fault = null
    expect(Buffer.from(await (await speak({ input: 'Hello' })).arrayBuffer())).toEqual(engine.sound)
  },
)

test.each<readonly [AudioFault, number, RegExp]>([
  ['page', 502, /no JSON/],
  ['bomb', 502, /packed its answer/],
  ['redirect', 502, /redirects to another address/],
  ['empty', 502, /no JSON/],
  ['cut', 502, /broke off its answer\.$/],
  ['stalled', 504, /did not finish in time|fell silent/],
  ['endless', 502, /longer than is taken/],
  ['refused', 429, /used up your sounds/],
])(
  'an engine that is %s while it should listen is refused in words',
  async (fault, status, words) => {
    const { engine, transcribe } = await startAudio({}, BOUNDS)
    engine.fault = fault
    const reply = await transcribe()
    expect([reply.status, await detailOf(reply)]).toEqual([status, expect.stringMatching(words)])
  },
)

test('an engine that is silent when it is asked for its voices has those it is known for', async () => {
  const { engine, call } = await startAudio({}, BOUNDS)
  engine.fault = 'silent'
  const { status, body } = await call('owner', 'audio/voices')
  expect([status, body.voices]).toEqual([
    200,
    expect.arrayContaining([{ id: 'alloy', name: 'alloy' }]),
  ])
})

test('offline mode and a missing address are told, and nothing is called', async () => {
  const { configure, server, speak, transcribe } = await startAudio()
  await server.context.settings.update({ OFFLINE_MODE: true })
  await configure({
    tts: { OPENAI_API_BASE_URL: 'https://speech.example/v1' },
    stt: { OPENAI_API_BASE_URL: '' },
  })
  expect(await detailOf(await speak({ input: 'Hello' }))).toMatch(/offline mode/)
  expect(await detailOf(await transcribe())).toMatch(/has no address/)
})
