import { startAudioEngine } from '../server/testing/start-audio-engine.ts'
import { createTinySpeechModel } from '../server/testing/write-tiny-speech-model.ts'
import { writeTone } from '../server/testing/write-tone.ts'
import { median, type BenchResult, type BenchRow } from './bench-result.ts'
import { startGateway, type BenchGateway } from './support/gateway.ts'
import { offspringOf } from './support/offspring.ts'
import { DRIVER_CORE, PROXY_CORE, residentKilobytes, startScript } from './support/spawned.ts'

export const goals = ['P39']

const SENTENCES = 100
const UNMEASURED = 20
const KIBI = 1024

/** Asks for one sentence; resolves with the milliseconds until its sound begins. */
async function speak(url: string, token: string, input: string): Promise<number> {
  const begun = performance.now()
  const reply = await fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` },
    body: JSON.stringify({ model: 'speaks-1', voice: 'alloy', input }),
  })
  const reader = reply.body!.getReader()
  await reader.read()
  const milliseconds = performance.now() - begun
  while (!(await reader.read()).done);
  if (!reply.ok) throw new Error(`${url} answered ${reply.status}.`)
  return milliseconds
}

const shown = (name: string, value: number, unit: string): BenchRow => ({
  name,
  value,
  unit,
  reached: 'shown',
})

/** Measures what the gateway adds to each sentence, in turns with the engine itself. */
async function measureSentences(gateway: BenchGateway, engine: string): Promise<BenchRow[]> {
  const ways = {
    engine: { url: `${engine}/v1/audio/speech`, token: 'key' },
    gateway: { url: `http://127.0.0.1:${gateway.port}/api/v1/audio/speech`, token: gateway.key },
  }
  const times = { engine: [] as number[], gateway: [] as number[], cached: [] as number[] }
  for (let count = -UNMEASURED; count < SENTENCES; count += 1) {
    const sentence = `This is sentence number ${count} of an answer that is read aloud.`
    const direct = await speak(ways.engine.url, ways.engine.token, sentence)
    const through = await speak(ways.gateway.url, ways.gateway.token, sentence)
    const again = await speak(ways.gateway.url, ways.gateway.token, sentence)
    if (count < 0) continue
    times.engine.push(direct)
    times.gateway.push(through)
    times.cached.push(again)
  }
  return [
    shown(
      'added until the sound of a sentence begins',
      median(times.gateway) - median(times.engine),
      'ms',
    ),
    shown('the same sentence again, from the cache', median(times.cached), 'ms'),
  ]
}

async function hear(gateway: BenchGateway): Promise<void> {
  const form = new FormData()
  form.append('file', new Blob([new Uint8Array(writeTone())], { type: 'audio/wav' }), 'memo.wav')
  const reply = await fetch(`http://127.0.0.1:${gateway.port}/api/v1/audio/transcriptions`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${gateway.token}` },
    body: form,
  })
  if (!reply.ok) throw new Error(`The recording was refused: ${await reply.text()}`)
}

/**
 * Measures the process that turns recordings into text, with a model that weighs nothing: that of a
 * real one is added.
 */
async function measureWorker(gateway: BenchGateway): Promise<BenchRow> {
  await gateway.call('POST', '/api/v1/settings', { values: { AUDIO_STT_ENGINE: 'local' } })
  const target = '/api/v1/audio/local/models/upload?filename=ggml-base.bin'
  const reply = await fetch(`http://127.0.0.1:${gateway.port}${target}`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${gateway.token}`,
      'Content-Type': 'application/octet-stream',
    },
    body: new Uint8Array(createTinySpeechModel()),
  })
  if (!reply.ok) throw new Error(`The model was refused: ${await reply.text()}`)
  const before = new Set(offspringOf(gateway.pid))
  await hear(gateway)
  const started = offspringOf(gateway.pid).filter((pid) => !before.has(pid))
  const kilobytes = started.reduce((sum, pid) => sum + (residentKilobytes(pid) ?? 0), 0)
  return shown('memory of the process that hears, without a model', kilobytes / KIBI, 'MB')
}

/** P39: measures what the gateway adds to each spoken sentence, and the memory of its processes. */
export async function run(): Promise<BenchResult> {
  const engine = await startAudioEngine()
  const upstream = await startScript('mock-upstream.ts', DRIVER_CORE)
  const gateway = await startGateway(upstream.ready.port, PROXY_CORE, {
    environment: {
      AUDIO_TTS_ENGINE: 'openai',
      AUDIO_TTS_OPENAI_API_BASE_URL: `${engine.url}/v1`,
      AUDIO_TTS_OPENAI_API_KEY: 'key',
    },
  })
  const resident = (): number => (residentKilobytes(gateway.pid) ?? 0) / KIBI
  try {
    const atFirst = resident()
    const rows = await measureSentences(gateway, engine.url)
    const afterwards = resident()
    return {
      goal: 'P39',
      rows: [
        ...rows,
        shown('memory of the gateway more than before it spoke', afterwards - atFirst, 'MB'),
        await measureWorker(gateway),
      ],
    }
  } finally {
    await gateway.stop()
    await upstream.stop()
    await engine.close()
  }
}
