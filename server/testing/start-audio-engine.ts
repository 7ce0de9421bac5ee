import { once } from 'node:events'
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { writeTone } from './write-tone.ts'

/**
 * Misbehaviour of a server: it never responds, closes the connection before or in the middle of its
 * sound, responds with a page, never ends, sends data that unpack to a much larger size, redirects,
 * refuses, stalls in the middle or sends nothing at all.
 */
export type AudioFault =
  | 'bomb'
  | 'cut'
  | 'cut-at-once'
  | 'empty'
  | 'endless'
  | 'failing'
  | 'page'
  | 'redirect'
  | 'refused'
  | 'silent'
  | 'stalled'
  | 'unauthorized'

export interface AudioEngineCall {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
  json(): Record<string, unknown>
}

const SLICE = Buffer.alloc(256 * 1024, 1)

async function pour(response: ServerResponse): Promise<void> {
  response.setMaxListeners(0)
  while (!response.destroyed) {
    if (!response.write(SLICE))
      await Promise.race([once(response, 'drain'), once(response, 'close')])
  }
}

function misbehave(fault: AudioFault, response: ServerResponse, type: string): void {
  const json = (status: number, value: unknown): void =>
    void response
      .writeHead(status, { 'Content-Type': 'application/json' })
      .end(JSON.stringify(value))
  const sound = (): ServerResponse => response.writeHead(200, { 'Content-Type': type })
  switch (fault) {
    case 'silent':
      return
    case 'stalled':
      return void sound().write('{"text": "Half')
    case 'cut-at-once':
      sound().flushHeaders()
      return void setTimeout(() => response.destroy(), 20)
    case 'cut':
      sound().write(SLICE.subarray(0, 1000))
      return void setTimeout(() => response.destroy(), 50)
    case 'empty':
      return void sound().end()
    case 'endless':
      sound()
      return void pour(response)
    case 'page':
      return void response
        .writeHead(200, { 'Content-Type': 'text/html' })
        .end('<html><script>alert(1)</script></html>')
    case 'bomb':
      return void response
        .writeHead(200, { 'Content-Type': type, 'Content-Encoding': 'gzip' })
        .end(gzipSync(Buffer.alloc(8_000_000)))
    case 'redirect':
      return void response.writeHead(302, { Location: 'http://127.0.0.1:1/speech' }).end()
    case 'refused':
      return json(429, { error: { message: 'You have used up your sounds.' } })
    case 'unauthorized':
      return json(401, {
        detail: { message: `Invalid key ${response.req.headers.authorization}` },
      })
    case 'failing':
      return json(500, { error: { message: 'The machine is on fire.' } })
  }
}

/** Dispatches a call: sound, text or a list. */
function answer(state: AudioEngine, call: AudioEngineCall, response: ServerResponse): void {
  const json = (value: unknown): void =>
    void response.setHeader('Content-Type', 'application/json').end(JSON.stringify(value))
  const [path = ''] = call.path.split('?')
  if (call.method === 'GET') {
    if (path === '/v1/audio/voices') return json({ voices: ['warm', { id: 'dry', name: 'Dry' }] })
    if (path === '/v1/audio/models') return json({ models: [{ id: 'speaks-1' }] })
    if (path === '/v1/voices') return json({ voices: [{ voice_id: 'v1', name: 'Rachel' }] })
    if (path === '/v1/models') return json([{ model_id: 'm1', name: 'Multilingual' }])
    if (path === '/cognitiveservices/voices/list')
      return json([{ ShortName: 'de-DE-KatjaNeural', DisplayName: 'Katja' }])
    return void response.writeHead(404).end()
  }
  if (path === '/v1/audio/transcriptions') return json({ text: state.text })
  if (path === '/v1/listen')
    return json({ results: { channels: [{ alternatives: [{ transcript: state.text }] }] } })
  response.writeHead(200, { 'Content-Type': state.soundType })
  const half = state.sound.length >> 1
  response.write(state.sound.subarray(0, half))
  setTimeout(() => response.end(state.sound.subarray(half)), state.pause)
}

/** A speech and transcription server with the APIs of several vendors, as tests see it. */
export interface AudioEngine {
  readonly url: string
  readonly calls: AudioEngineCall[]
  fault: AudioFault | null
  /** Number of further calls with the fault; all if null. */
  faults: number | null
  sound: Buffer
  soundType: string
  /** Milliseconds between the halves of a sound. */
  pause: number
  /** Transcript of every recording. */
  text: string
  /** Number of calls whose client disconnected before the response. */
  left: number
  close(): Promise<void>
}

export async function startAudioEngine(): Promise<AudioEngine> {
  const receive = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await buffer(request).catch(() => null)
    response.on('close', () => (state.left += response.writableFinished ? 0 : 1))
    if (!body) return
    const { method = '', url: path = '', headers } = request
    const call = {
      method,
      path,
      headers,
      body,
      json: () => JSON.parse(body.toString()) as Record<string, unknown>,
    }
    state.calls.push(call)
    if (
      state.fault === null ||
      (method === 'GET' && state.fault !== 'silent') ||
      state.faults === 0
    )
      return answer(state, call, response)
    if (state.faults !== null) state.faults -= 1
    misbehave(
      state.fault,
      response,
      path.includes('transcriptions') ? 'application/json' : state.soundType,
    )
  }
  const server = createServer((request, response) => void receive(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const state: AudioEngine = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls: [],
    fault: null,
    faults: null,
    sound: writeTone(),
    soundType: 'audio/wav',
    pause: 0,
    text: 'Good morning from the recording.',
    left: 0,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return state
}
