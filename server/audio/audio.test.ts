import { createReadStream, existsSync, readdirSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import path from 'node:path'
import OpenAI from 'openai'
import { expect, test, vi } from 'vitest'
import { createTemporaryFolder } from '../testing/create-temporary-folder.ts'
import { startAudio } from '../testing/start-audio.ts'

const bytesOf = async (reply: Response): Promise<Buffer> => Buffer.from(await reply.arrayBuffer())
const detailOf = async (reply: Response): Promise<string> =>
  ((await reply.json()) as { detail: string }).detail

test('the configuration has 13 and 16 fields, hides keys, and keeps one whose mask is sent back', async () => {
  const { call, configure, server } = await startAudio()
  const { body } = await call('admin', 'audio/config')
  expect(Object.keys(body.tts)).toHaveLength(13)
  expect(Object.keys(body.stt)).toHaveLength(16)
  expect(body.tts).toMatchObject({ OPENAI_API_KEY: '********', MODEL: 'tts-1', VOICE: 'alloy' })
  expect(body.stt.ALLOWED_EXTENSIONS).toContain('webm')
  const changed = await configure({ tts: { VOICE: 'nova' } })
  expect(changed.body.tts.VOICE).toBe('nova')
  expect(server.context.settings.get('AUDIO_TTS_OPENAI_API_KEY')).toBe('sk-speech')
  await configure({ tts: { OPENAI_API_KEY: '' } })
  expect(server.context.settings.get('AUDIO_TTS_OPENAI_API_KEY')).toBe('')
  const faulty = await configure({ tts: { SPLIT_ON: 'words' } })
  expect(faulty).toMatchObject({ status: 400, body: { detail: /SPLIT_ON/ } })
  expect((await call('admin', 'audio/config', { body: {} })).status).toBe(422)
})

test('speech goes on to the endpoint with the configured model, and its bytes come back', async () => {
  const { engine, speak } = await startAudio({ tts: { OPENAI_PARAMS: { instructions: 'Slowly' } } })
  const reply = await speak({ input: 'Good morning.', model: 'another', speed: 1.5, extra: [1] })
  expect(reply.status).toBe(200)
  expect(reply.headers.get('content-type')).toBe('audio/wav')
  expect((await bytesOf(reply)).equals(engine.sound)).toBe(true)
  const [asked] = engine.calls
  expect(asked).toMatchObject({
    path: '/v1/audio/speech',
    headers: { authorization: 'Bearer sk-speech', 'accept-encoding': 'identity' },
  })
  expect(asked!.json()).toEqual({
    input: 'Good morning.',
    model: 'tts-1',
    voice: 'alloy',
    speed: 1.5,
    extra: [1],
    instructions: 'Slowly',
  })
})

test.each(['/v1', '/api', '/api/v1', '/openai'])(
  'speech is made below %s/audio, where clients look for it',
  async (root) => {
    const { engine, server, tokens } = await startAudio()
    const reply = await server.call('POST', `${root}/audio/speech`, {
      token: tokens.owner,
      body: { input: 'Good morning.' },
    })
    expect(reply.status).toBe(200)
    expect((await bytesOf(reply)).equals(engine.sound)).toBe(true)
  },
)

test('the first sound comes before the last is made', async () => {
  const { engine, speak } = await startAudio()
  engine.pause = 400
  const began = performance.now()
  const reader = (await speak({ input: 'Good morning.' })).body!.getReader()
  await reader.read()
  expect(performance.now() - began).toBeLessThan(350)
  await reader.cancel()
})

test('the same words again come from memory, for the same person alone, as far as it reaches', async () => {
  const { engine, speak, server } = await startAudio()
  for (const name of ['owner', 'owner', 'other'] as const) {
    const reply = await speak({ input: 'Again.' }, name)
    expect((await bytesOf(reply)).equals(engine.sound)).toBe(true)
  }
  expect(engine.calls).toHaveLength(2)
  await server.context.settings.update({ AUDIO_CACHE_SIZE: 0 })
  for (const input of ['Never kept.', 'Never kept.']) await bytesOf(await speak({ input }))
  expect(engine.calls).toHaveLength(4)
})

test('a recording counts from its first byte on, so that nobody fills the disk with many at once', async () => {
  const { engine, server, tokens, transcribe } = await startAudio({}, { AUDIO_MAX_CALLS: '1' })
  const sending = request(`${server.url}/api/v1/audio/transcriptions`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${tokens.owner}`,
      'Content-Type': 'multipart/form-data; boundary=edge',
    },
  })
  sending.on('error', () => undefined)
  sending.write(
    '--edge\r\nContent-Disposition: form-data; name="file"; filename="memo.wav"\r\nContent-Type: audio/wav\r\n\r\nRIFF',
  )
  const folder = path.join(server.dataDir, 'recordings')
  await expect.poll(() => existsSync(folder) && readdirSync(folder).length).toBe(1)
  expect((await transcribe()).status).toBe(429)
  expect((await transcribe({}, 'other')).status).toBe(200)
  expect(engine.calls).toHaveLength(1)
  sending.destroy()
  await expect.poll(async () => (await transcribe()).status).toBe(200)
})

test('nobody speaks while no engine is chosen, and unknown words are no engine', async () => {
  const { speak, configure, call } = await startAudio({ tts: { ENGINE: '' } })
  const none = await speak({ input: 'Hello' })
  expect([none.status, await detailOf(none)]).toEqual([404, expect.stringMatching(/your device/)])
  expect((await call('owner', 'audio/voices')).body).toEqual({ voices: [] })
  expect((await call('owner', 'audio/models')).body).toEqual({ models: [] })
  await configure({ tts: { ENGINE: 'transformers' } })
  const unknown = await speak({ input: 'Hello' })
  expect([unknown.status, await detailOf(unknown)]).toEqual([
    400,
    expect.stringMatching(/no engine "transformers"/),
  ])
})

test('who lacks the permission neither speaks nor is transcribed', async () => {
  const { server, speak, transcribe, engine } = await startAudio()
  await server.context.settings.update({
    USER_PERMISSIONS: JSON.stringify({ chat: { tts: false, stt: false } }),
  })
  expect((await speak({ input: 'Hello' })).status).toBe(403)
  expect((await transcribe()).status).toBe(403)
  expect((await speak({ input: 'Hello' }, 'admin')).status).toBe(200)
  expect(engine.calls).toHaveLength(1)
})

test('ElevenLabs gets the voice in its path and the words as its fields', async () => {
  const { engine, speak, call } = await startAudio({
    tts: { ENGINE: 'elevenlabs', MODEL: 'm1', VOICE: 'v1' },
  })
  expect((await speak({ input: 'Guten Tag', voice: '../x', speed: 9 })).status).toBe(200)
  expect(engine.calls[0]).toMatchObject({
    path: '/v1/text-to-speech/..%2Fx/stream',
    headers: { 'xi-api-key': 'sk-vendor' },
  })
  expect(engine.calls[0]!.json()).toEqual({
    text: 'Guten Tag',
    model_id: 'm1',
    voice_settings: { stability: 0.5, similarity_boost: 0.5, speed: 1.2 },
  })
  expect((await call('owner', 'audio/voices')).body.voices).toEqual([{ id: 'v1', name: 'Rachel' }])
  expect((await call('owner', 'audio/models')).body.models).toEqual([
    { id: 'm1', name: 'Multilingual' },
  ])
  expect((await speak({ input: ' ' })).status).toBe(400)
})

test('Azure gets words that cannot become tags', async () => {
  const { engine, speak, call } = await startAudio({
    tts: { ENGINE: 'azure', VOICE: 'de-DE-KatjaNeural' },
  })
  expect((await speak({ input: '</voice> & "Tee"\u0007', speed: 1.25 })).status).toBe(200)
  const [asked] = engine.calls
  expect(asked!.path).toBe('/cognitiveservices/v1')
  expect(asked!.headers).toMatchObject({
    'ocp-apim-subscription-key': 'sk-vendor',
    'content-type': 'application/ssml+xml',
    'x-microsoft-outputformat': 'audio-24khz-160kbitrate-mono-mp3',
  })
  expect(asked!.body.toString()).toBe(
    '<speak version="1.0" xmlns="http://www.w3.org/2001/10/synthesis" xml:lang="de-DE">' +
      '<voice name="de-DE-KatjaNeural"><prosody rate="+25%">' +
      '&lt;/voice&gt; &amp; &quot;Tee&quot;</prosody></voice></speak>',
  )
  expect((await call('owner', 'audio/voices')).body.voices).toEqual([
    { id: 'de-DE-KatjaNeural', name: 'Katja' },
  ])
})

test('voices are asked for with the key, and are the known ones where nobody answers', async () => {
  const { call, configure, engine } = await startAudio()
  expect((await call('owner', 'audio/voices')).body.voices).toEqual([
    { id: 'warm', name: 'warm' },
    { id: 'dry', name: 'Dry' },
  ])
  expect(engine.calls[0]!.headers.authorization).toBe('Bearer sk-speech')
  expect((await call('owner', 'audio/models')).body.models).toEqual([
    { id: 'speaks-1', name: 'speaks-1' },
  ])
  await configure({ tts: { OPENAI_API_BASE_URL: 'http://127.0.0.1:9/v1' } })
  const { voices } = (await call('owner', 'audio/voices')).body
  expect(voices.map(({ id }: { id: string }) => id)).toEqual([
    'alloy',
    'echo',
    'fable',
    'onyx',
    'nova',
    'shimmer',
  ])
})

test('a recording becomes text, whole and as it came', async () => {
  const { engine, transcribe, server } = await startAudio()
  const reply = await transcribe({ filename: 'C:\\notes\\mémo.wav', language: 'de' })
  expect([reply.status, await reply.json()]).toEqual([
    200,
    { text: 'Good morning from the recording.', filename: 'mémo.wav' },
  ])
  const [asked] = engine.calls
  expect(asked!.headers.authorization).toBe('Bearer sk-text')
  const form = await new Response(new Uint8Array(asked!.body), {
    headers: { 'content-type': asked!.headers['content-type']! },
  }).formData()
  expect(form.get('model')).toBe('listens-1')
  expect(form.get('language')).toBe('de')
  const file = form.get('file') as File
  expect([file.name, file.type]).toEqual(['mémo.wav', 'audio/wav'])
  expect(Buffer.from(await file.arrayBuffer()).equals(engine.sound)).toBe(true)
  const folder = path.join(server.context.config.dataDir, 'recordings')
  expect(readdirSync(folder)).toEqual([])
})

test('the unmodified openai SDK, which declares no type, gets the text of a recording', async () => {
  const { engine, server, tokens } = await startAudio()
  const client = new OpenAI({
    apiKey: tokens.owner,
    baseURL: `${server.url}/api/v1`,
    maxRetries: 0,
  })
  const folder = createTemporaryFolder()
  const types = { 'memo.wav': 'audio/wav', 'memo.m4a': 'audio/mp4', 'memo.mpga': 'audio/mpeg' }
  for (const [name, type] of Object.entries(types)) {
    writeFileSync(path.join(folder, name), engine.sound)
    const file = createReadStream(path.join(folder, name))
    const hints = { prompt: 'Names: Ada, Grace.', temperature: 0.2 }
    const { text } = await client.audio.transcriptions.create({
      model: 'whisper-1',
      file,
      ...hints,
    })
    expect(text).toBe(engine.text)
    const { body, headers } = engine.calls.at(-1)!
    const form = await new Response(new Uint8Array(body), {
      headers: { 'content-type': headers['content-type']! },
    }).formData()
    expect((form.get('file') as File).type).toBe(type)
    expect([form.get('prompt'), form.get('temperature')]).toEqual([hints.prompt, '0.2'])
  }
  const file = await OpenAI.toFile(engine.sound, 'memo.wav')
  await expect(
    client.audio.transcriptions.create({ model: 'whisper-1', file, temperature: 7 }),
  ).rejects.toMatchObject({ status: 400, param: 'temperature' })
})

test.each(['/v1', '/api', '/api/v1'])(
  'the unmodified openai SDK below %s speaks and transcribes',
  async (base) => {
    const { engine, server, tokens } = await startAudio()
    const baseURL = server.url + base
    const client = new OpenAI({ apiKey: tokens.owner, baseURL, maxRetries: 0 })
    const reply = await client.audio.speech.create({ model: 'tts-1', voice: 'nova', input: 'Hi.' })
    expect(Buffer.from(await reply.arrayBuffer()).equals(engine.sound)).toBe(true)
    const file = await OpenAI.toFile(engine.sound, 'memo.wav')
    const about = { model: 'whisper-1', file }
    expect((await client.audio.transcriptions.create(about)).text).toBe(engine.text)
    const detailed = await client.audio.transcriptions.create({
      ...about,
      response_format: 'verbose_json',
      timestamp_granularities: ['word'],
    })
    expect(detailed.text).toBe(engine.text)
    expect(await client.audio.transcriptions.create({ ...about, response_format: 'text' })).toBe(
      engine.text,
    )
    const events = []
    for await (const event of await client.audio.transcriptions.create({ ...about, stream: true }))
      events.push(event)
    expect(events).toMatchObject([
      { type: 'transcript.text.delta', delta: engine.text },
      { type: 'transcript.text.done', text: engine.text },
    ])
    await expect(
      client.audio.transcriptions.create({ ...about, response_format: 'srt' }),
    ).rejects.toMatchObject({ status: 400, param: 'response_format' })
  },
)

test('a recording without a type is refused where its kind is none of those that are taken', async () => {
  const { configure, engine, transcribe } = await startAudio()
  await configure({
    stt: { SUPPORTED_CONTENT_TYPES: ['audio/flac'], ALLOWED_EXTENSIONS: ['wav', 'flac', 'odd'] },
  })
  const type = 'application/octet-stream'
  expect((await transcribe({ type, filename: 'memo.flac' })).status).toBe(200)
  expect((await transcribe({ type, filename: 'memo.wav' })).status).toBe(400)
  expect((await transcribe({ type, filename: 'memo.odd' })).status).toBe(400)
  expect(engine.calls).toHaveLength(1)
})

test('Deepgram gets the bytes alone', async () => {
  const { engine, transcribe, server } = await startAudio({
    stt: { ENGINE: 'deepgram', DEEPGRAM_API_KEY: 'dg', MODEL: 'nova-3' },
  })
  await server.context.settings.update({ DEEPGRAM_API_BASE_URL: engine.url })
  const reply = await transcribe({ language: 'en' })
  expect([reply.status, await reply.json()]).toMatchObject([200, { text: engine.text }])
  expect(engine.calls[0]).toMatchObject({
    path: '/v1/listen?smart_format=true&model=nova-3&language=en',
    headers: { authorization: 'Token dg', 'content-type': 'audio/wav' },
  })
  expect(engine.calls[0]!.body.equals(engine.sound)).toBe(true)
})

test.each([
  ['with the ending of a program', { filename: 'memo.exe' }, 400, /have to end in one of/],
  ['without an ending', { filename: 'memo' }, 400, /have to end in one of/],
  ['that is a text', { type: 'text/plain' }, 400, /is no recording/],
  ['that is a film', { type: 'video/mp4', filename: 'memo.mp4' }, 400, /is no recording/],
  [
    'of no type, with the ending of a text',
    { type: 'application/octet-stream', filename: 'memo.txt' },
    400,
    /have to end in one of/,
  ],
  ['in another part', { field: 'audio' }, 400, /part named "file"/],
  ['in a language that is none', { language: 'german please' }, 400, /not a tag/],
  ['without bytes', { bytes: Buffer.alloc(0) }, 400, /is empty/],
  ['that is too large', { bytes: Buffer.alloc(1_200_000) }, 413, /larger than 1 MB/],
] as const)('a recording %s is refused', async (_, recording, status, words) => {
  const { engine, transcribe } = await startAudio({}, { AUDIO_MAX_SIZE: '1' })
  const reply = await transcribe(recording)
  expect([reply.status, await detailOf(reply)]).toEqual([status, expect.stringMatching(words)])
  expect(engine.calls).toEqual([])
})

test('a call for text that failed is made once more', async () => {
  const { engine, transcribe } = await startAudio()
  Object.assign(engine, { fault: 'failing', faults: 1 })
  expect((await transcribe()).status).toBe(200)
  expect(engine.calls).toHaveLength(2)
  Object.assign(engine, { faults: null })
  const reply = await transcribe()
  expect([reply.status, await detailOf(reply)]).toEqual([500, 'External: The machine is on fire.'])
  expect(engine.calls).toHaveLength(4)
})

test('the engine hears that the caller left', async () => {
  const { engine, speak } = await startAudio()
  engine.fault = 'silent'
  const leaving = new AbortController()
  const reply = speak({ input: 'Hello' }, 'owner', leaving.signal)
  await vi.waitFor(() => expect(engine.calls).toHaveLength(1))
  leaving.abort()
  await expect(reply).rejects.toThrow(/abort/i)
  await vi.waitFor(() => expect(engine.left).toBe(1))
})

test('a person has a bounded number of calls under way', async () => {
  const { engine, speak } = await startAudio({}, { AUDIO_MAX_CALLS: '1' })
  engine.fault = 'silent'
  const leaving = new AbortController()
  const first = speak({ input: 'One' }, 'owner', leaving.signal).catch(() => null)
  await vi.waitFor(() => expect(engine.calls).toHaveLength(1))
  expect((await speak({ input: 'Two' })).status).toBe(429)
  engine.fault = null
  expect((await speak({ input: 'Two' }, 'other')).status).toBe(200)
  leaving.abort()
  await first
  await vi.waitFor(async () => expect((await speak({ input: 'Three' })).status).toBe(200))
})

test('an uploaded recording is found by its words', async () => {
  const { engine, server, ids } = await startAudio()
  const content = { bytes: engine.sound }
  const upload = (owner: string, filename = 'memo.wav') =>
    server.context.files.create(
      owner,
      { filename, contentType: 'audio/wav', content },
      { process: true, background: false },
    )
  const file = await upload(ids.owner)
  expect(file.status).toBe('completed')
  expect((await server.context.files.content(file.id))?.text).toBe(engine.text)
  engine.fault = 'refused'
  const refused = await upload(ids.owner)
  expect([refused.status, refused.error]).toEqual([
    'failed',
    'External: You have used up your sounds.',
  ])
  engine.fault = null
  await server.context.settings.update({
    USER_PERMISSIONS: JSON.stringify({ chat: { stt: false } }),
  })
  const calls = engine.calls.length
  expect((await upload(ids.owner)).error).toMatch(/no text in files of this kind/)
  expect(engine.calls).toHaveLength(calls)
})
