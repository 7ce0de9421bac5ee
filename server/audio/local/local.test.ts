import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { LocalSpeech } from '#contract/audio.ts'
import type { GatewayConfig } from '#contract/system.ts'
import { startAudio } from '../../testing/start-audio.ts'
import { startModelHub } from '../../testing/start-model-hub.ts'
import { createTinySpeechModel, TINY_WORDS } from '../../testing/write-tiny-speech-model.ts'

const MODEL = createTinySpeechModel()
const OPUS = readFileSync(path.join(import.meta.dirname, '__fixtures__/good-morning.opus'))
const MP3 = readFileSync(path.join(import.meta.dirname, '__fixtures__/good-morning.mp3'))
const WAIT = { timeout: 30_000 }

async function startLocal(environment: Readonly<Record<string, string>> = {}) {
  const audio = await startAudio({ stt: { ENGINE: 'local' } }, environment)
  const { call, server, tokens } = audio
  return {
    ...audio,
    host: server.context.audio.local.host,
    state: async (): Promise<LocalSpeech> => (await call('admin', 'audio/local')).body,
    upload: async (bytes: Buffer, filename = 'ggml-base.bin') => {
      const reply = await fetch(
        `${server.url}/api/v1/audio/local/models/upload?filename=${filename}`,
        {
          method: 'POST',
          headers: {
            Authorization: `Bearer ${tokens.admin}`,
            'Content-Type': 'application/octet-stream',
          },
          body: new Uint8Array(bytes),
        },
      )
      return { status: reply.status, body: (await reply.json()) as { detail?: string } }
    },
  }
}

const read = async (reply: Response) => ({
  status: reply.status,
  ...((await reply.json()) as { text?: string; detail?: string }),
})

test('recordings become text without any other server, one after the other', async () => {
  const { engine, transcribe, upload, host, state } = await startLocal()
  expect(await read(await transcribe())).toMatchObject({
    status: 400,
    detail: expect.stringMatching(/"base" is not on the gateway’s computer/),
  })
  expect((await upload(MODEL)).status).toBe(200)
  expect((await state()).models).toMatchObject([
    { name: 'base', used: true, multilingual: false, fits: true, problem: null },
  ])
  expect(host.isRunning).toBe(false)
  const sent = await Promise.all([
    transcribe(),
    transcribe({ bytes: OPUS, filename: 'memo.ogg', type: 'audio/ogg' }),
    transcribe({ bytes: MP3, filename: 'memo.mp3', type: 'audio/mpeg', language: 'en-US' }),
  ])
  for (const reply of sent)
    expect(await read(reply)).toMatchObject({ status: 200, text: TINY_WORDS })
  expect(engine.calls).toEqual([])
  // The model is still in memory for the next request.
  expect(host.isRunning).toBe(true)
}, 240_000)

test('an empty engine stands for it where its model is there, and else for none', async () => {
  const { configure, server, tokens, transcribe, upload } = await startLocal()
  // The interface offers dictation by it.
  const told = async (): Promise<string> => {
    const reply = await server.call('GET', '/api/config', { token: tokens.owner })
    return ((await reply.json()) as GatewayConfig).audio!.stt.engine
  }
  await configure({ stt: { ENGINE: '' } })
  expect((await read(await transcribe())).detail).toMatch(/No engine turns speech into text/)
  expect(await told()).toBe('')
  await upload(MODEL)
  expect(await told()).toBe('local')
  expect(await read(await transcribe())).toMatchObject({ status: 200, text: TINY_WORDS })
}, 180_000)

test('what is no recording, and a language nobody taught it, are refused in words', async () => {
  const { transcribe, upload } = await startLocal()
  await upload(MODEL)
  const none = await read(await transcribe({ bytes: Buffer.from('No sound.') }))
  expect(none).toMatchObject({ status: 400, detail: expect.stringMatching(/cannot be read/) })
  const german = await read(await transcribe({ language: 'de' }))
  expect(german).toMatchObject({ status: 400, detail: expect.stringMatching(/language "de"/) })
  expect((await transcribe()).status).toBe(200)
}, 180_000)

test('files that are no models are refused, and one damaged on the disk is told', async () => {
  const { upload, state, server, transcribe } = await startLocal()
  const wrong = [
    [Buffer.from('This is no model at all, but text enough to look like one.'), /no speech model/],
    [MODEL.subarray(0, MODEL.length - 1000), /damaged or incomplete/],
    [Buffer.concat([MODEL, Buffer.alloc(10)]), /damaged or incomplete/],
    [MODEL.subarray(0, 48), /damaged or incomplete/],
  ] as const
  for (const [bytes, words] of wrong)
    expect(await upload(bytes)).toMatchObject({
      status: 400,
      body: { detail: expect.stringMatching(words) },
    })
  expect((await upload(MODEL, 'model.gguf')).status).toBe(400)
  expect((await upload(MODEL, '..%2Fmodel.bin')).status).toBe(400)
  expect((await state()).models).toEqual([])
  await upload(MODEL)
  expect((await upload(MODEL)).status).toBe(409)
  const file = path.join(server.dataDir, 'speech-models', 'ggml-base.bin')
  writeFileSync(file, MODEL.subarray(0, 5000))
  expect((await state()).models).toMatchObject([{ problem: expect.stringMatching(/damaged/) }])
  expect(await read(await transcribe())).toMatchObject({
    status: 503,
    detail: expect.stringMatching(/damaged/),
  })
}, 180_000)

test('a file the check cannot see through fails in words, and hurts nothing else', async () => {
  const { upload, transcribe, call } = await startLocal()
  // A well-formed file without the tensors the engine requires.
  const broken = Buffer.from(MODEL)
  broken.write('encoder.ln_pxst.bias', broken.indexOf('encoder.ln_post.bias'))
  expect((await upload(broken)).status).toBe(200)
  const reply = await read(await transcribe())
  expect([502, 503]).toContain(reply.status)
  expect(reply.detail).toMatch(/speech model cannot be loaded|ended in the middle/)
  expect((await call('admin', 'audio/local')).status).toBe(200)
}, 180_000)

test('whoever leaves frees the computer at once, and the next one is heard', async () => {
  const { upload, transcribe, host, server, tokens } = await startLocal()
  await upload(MODEL)
  await transcribe()
  const first = host.pid!
  // Ten minutes of audio, processed in many segments of half a minute.
  const sound = Buffer.alloc(44 + 16_000 * 2 * 600)
  sound.write('RIFF', 0)
  sound.write('WAVEfmt ', 8)
  sound.writeUInt32LE(16, 16)
  sound.writeUInt16LE(1, 20)
  sound.writeUInt16LE(1, 22)
  sound.writeUInt32LE(16_000, 24)
  sound.writeUInt16LE(16, 34)
  sound.write('data', 36)
  sound.writeUInt32LE(sound.length - 44, 40)
  const form = new FormData()
  form.append('file', new Blob([new Uint8Array(sound)], { type: 'audio/wav' }), 'long.wav')
  const leaving = new AbortController()
  const call = fetch(`${server.url}/api/v1/audio/transcriptions`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${tokens.owner}` },
    body: form,
    signal: leaving.signal,
  })
  await vi.waitFor(() => expect(host.isBusy).toBe(true), { timeout: 60_000, interval: 5 })
  await sleep(100)
  leaving.abort()
  const left = performance.now()
  await expect(call).rejects.toThrow(/abort/i)
  await vi.waitFor(() => expect(() => process.kill(first, 0)).toThrow(/ESRCH/), {
    timeout: 5000,
    interval: 20,
  })
  expect(performance.now() - left).toBeLessThan(2000)
  expect(await read(await transcribe())).toMatchObject({ text: TINY_WORDS })
  expect(host.pid).not.toBe(first)
}, 240_000)

test('an engine that is killed in the middle is told in words, and started anew', async () => {
  const { upload, transcribe, host } = await startLocal()
  await upload(MODEL)
  await transcribe()
  const call = transcribe()
  await vi.waitFor(() => expect(host.isBusy).toBe(true), { timeout: 20_000, interval: 1 })
  process.kill(host.pid!, 'SIGKILL')
  const reply = await read(await call)
  expect(reply.status === 200 || /ended in the middle/.test(reply.detail ?? '')).toBe(true)
  expect(await read(await transcribe())).toMatchObject({ status: 200, text: TINY_WORDS })
}, 180_000)

test('a model that was asked for is downloaded, rests and goes on, is checked, and then listens', async () => {
  const hub = await startModelHub(MODEL, 'ggml-tiny.bin')
  onTestFinished(() => hub.close())
  const { call, state, transcribe, server } = await startLocal()
  await server.context.settings.update({ MODEL_MIRRORS: [hub.url] })
  expect(hub.ranges).toEqual([])
  const unknown = await call('admin', 'audio/local/downloads', { body: { name: 'huge' } })
  expect(unknown.status).toBe(400)
  hub.faults.push({ kind: 'stall', after: 200_000 })
  const begun = await call('admin', 'audio/local/downloads', { body: { name: 'tiny' } })
  expect(begun.status).toBe(200)
  await vi.waitFor(async () => expect((await state()).downloads[0]!.completed).toBe(200_000), WAIT)
  const { id } = begun.body
  expect((await call('admin', `audio/local/downloads/${id}/pause`, { body: {} })).status).toBe(200)
  expect((await state()).downloads).toMatchObject([{ status: 'paused', total: MODEL.length }])
  await call('admin', `audio/local/downloads/${id}/resume`, { body: {} })
  await vi.waitFor(async () => expect((await state()).models).toHaveLength(1), WAIT)
  expect(hub.ranges.at(-1)).toBe('bytes=200000-')
  // The first model downloaded is the one used for transcription.
  expect((await state()).models).toMatchObject([{ name: 'tiny', used: true }])
  expect(await read(await transcribe())).toMatchObject({ status: 200, text: TINY_WORDS })
  expect((await call('admin', 'audio/local/models/tiny', { method: 'DELETE' })).status).toBe(200)
  expect((await state()).models).toEqual([])
}, 240_000)

test('a file that is not what the hub promised is deleted, with the reason', async () => {
  const hub = await startModelHub(MODEL, 'ggml-tiny.bin')
  onTestFinished(() => hub.close())
  const { call, state, server } = await startLocal()
  await server.context.settings.update({ MODEL_MIRRORS: [hub.url] })
  hub.promise = { sha256: '0'.repeat(64) }
  await call('admin', 'audio/local/downloads', { body: { name: 'tiny' } })
  await vi.waitFor(
    async () =>
      expect((await state()).downloads).toMatchObject([
        { status: 'failed', error: expect.stringMatching(/checksum differs/) },
      ]),
    WAIT,
  )
  hub.promise = {}
  hub.faults.push({ kind: 'huge' })
  await call('admin', `audio/local/downloads/${(await state()).downloads[0]!.id}`, {
    method: 'DELETE',
  })
  expect((await state()).models).toEqual([])
}, 180_000)
