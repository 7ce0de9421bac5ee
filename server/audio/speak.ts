import { createHash } from 'node:crypto'
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { upstreamFailed } from '../lib/errors.ts'
import type { AudioSettings } from './audio-settings.ts'
import type { CallBounds } from './call-bounds.ts'
import type { AudioCall, AudioClient, AudioReply } from './engines/audio-client.ts'
import { toSpeechCall, type SpeechFields } from './engines/speech-call.ts'
import type { KeptSpeech, SpeechCache } from './speech-cache.ts'

export interface SpeakParts {
  readonly settings: AudioSettings
  readonly client: AudioClient
  readonly bounds: CallBounds
  readonly cache: SpeechCache
}

/** Recipient of the sound. */
export interface SpeakOptions {
  readonly userId: string
  readonly signal: AbortSignal
  readonly response: ServerResponse
}

const MEGABYTE = 1_000_000
const USUAL_TYPE = 'audio/mpeg'

/**
 * Each user has a separate cache, because a fast response would reveal what others had read aloud.
 */
const keyOf = (userId: string, { address, headers, body }: AudioCall): string =>
  createHash('sha256')
    .update(JSON.stringify([userId, address, headers['x-microsoft-outputformat'] ?? '', body]))
    .digest('base64')

/** Returns the media type of a sound; null for anything else. */
function soundType(reply: AudioReply): string | null {
  const type = (reply.headers['content-type'] ?? '').split(';')[0]!.trim().toLowerCase()
  if (/^audio\/[\w.+-]{1,60}$/.test(type)) return type
  return type === '' || /^(application|binary)\/octet-stream$/.test(type) ? USUAL_TYPE : null
}

function writeHead(response: ServerResponse, type: string, length: number | null): void {
  response.writeHead(200, {
    'Content-Type': type,
    ...(length !== null && { 'Content-Length': length }),
    'Cache-Control': 'private, no-store',
    'X-Content-Type-Options': 'nosniff',
  })
}

async function sendPieces(
  response: ServerResponse,
  pieces: readonly Buffer[],
  signal: AbortSignal,
): Promise<void> {
  for (const piece of pieces) {
    if (!response.write(piece)) await once(response, 'drain', { signal })
  }
}

/**
 * Passes the chunks on as they arrive; resolves with them if they are small enough to be cached.
 */
async function passOn(
  { settings, cache }: SpeakParts,
  reply: AudioReply,
  response: ServerResponse,
  { type, signal }: { type: string; signal: AbortSignal },
): Promise<KeptSpeech | null> {
  const limit = settings.get('AUDIO_MAX_SIZE') * MEGABYTE
  let pieces: Buffer[] | null = []
  let size = 0
  for await (const piece of reply.chunks()) {
    size += piece.length
    if (size > limit)
      throw upstreamFailed('The audio engine sent more sound than is taken.', {
        code: 'audio_engine_failed',
      })
    // The head waits for the first sound, so that an earlier failure can be sent as an error
    // message.
    if (!response.headersSent) writeHead(response, type, null)
    if (!cache.takes(size)) pieces = null
    pieces?.push(piece)
    await sendPieces(response, [piece], signal)
  }
  if (size === 0)
    throw upstreamFailed('The audio engine answered without sound.', {
      code: 'audio_engine_failed',
    })
  return pieces && { type, pieces, size }
}

async function speakAnew(
  parts: SpeakParts,
  call: AudioCall,
  key: string,
  { signal, response }: { signal: AbortSignal; response: ServerResponse },
): Promise<void> {
  const { client, settings, cache } = parts
  const idleMilliseconds = settings.get('AUDIO_IDLE_TIMEOUT') * 1000
  const reply = await client.open(call, { signal, idleMilliseconds })
  const type = soundType(reply)
  if (type === null) {
    reply.abort()
    throw upstreamFailed('The audio engine answered with something that is no sound.', {
      code: 'audio_engine_failed',
    })
  }
  try {
    const kept = await passOn(parts, reply, response, { type, signal })
    if (kept) cache.set(key, kept)
  } catch (error) {
    throw client.toFault(error, call.address, signal)
  }
}

/**
 * Streams speech into the response in chunks as the engine produces them. Is cancelled when the
 * caller disconnects; the limits an administrator set apply.
 */
export async function speak(
  parts: SpeakParts,
  fields: SpeechFields,
  { userId, signal, response }: SpeakOptions,
): Promise<void> {
  const call = toSpeechCall(parts.settings, fields)
  const key = keyOf(userId, call)
  const kept = parts.cache.get(key)
  if (kept) {
    writeHead(response, kept.type, kept.size)
    await sendPieces(response, kept.pieces, signal)
  } else {
    await parts.bounds.run({ userId, signal }, (ending) =>
      speakAnew(parts, call, key, { signal: ending, response }),
    )
  }
  response.end()
}
