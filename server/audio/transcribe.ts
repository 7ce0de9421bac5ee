import { badRequest, ServiceError, tooLarge } from '../lib/errors.ts'
import type { AudioSettings } from './audio-settings.ts'
import type { CallBounds } from './call-bounds.ts'
import type { AudioClient } from './engines/audio-client.ts'
import type { LocalSpeech } from './local/local-speech.ts'
import {
  toTranscriptionCall,
  type Recording,
  type TranscriptionHints,
} from './engines/transcription-call.ts'

export interface TranscribeParts {
  readonly settings: AudioSettings
  readonly client: AudioClient
  readonly bounds: CallBounds
  readonly local: LocalSpeech
}

const MEGABYTE = 1_000_000
const TEXT_BYTES = 8_000_000
const USUAL_TYPES: readonly string[] = ['audio/*', 'video/webm']
const LANGUAGE = /^[a-z]{2,3}(-[a-z0-9]{2,8})*$/i

export const mostRecordingBytes = (settings: AudioSettings): number =>
  settings.get('AUDIO_MAX_SIZE') * MEGABYTE

export const tooLargeRecording = (settings: AudioSettings): string =>
  `The recording is larger than ${settings.get('AUDIO_MAX_SIZE')} MB, which is more than is taken.`

const extensionOf = (filename: string): string =>
  /\.([^.\s/\\]{1,20})$/.exec(filename)?.[1]?.toLowerCase() ?? ''

/** Media types of recordings by file extension, for clients that declare none. */
const TYPES: ReadonlyMap<string, string> = new Map([
  ['aac', 'audio/aac'],
  ['flac', 'audio/flac'],
  ['m4a', 'audio/mp4'],
  ['mp3', 'audio/mpeg'],
  ['mp4', 'audio/mp4'],
  ['mpeg', 'audio/mpeg'],
  ['mpga', 'audio/mpeg'],
  ['oga', 'audio/ogg'],
  ['ogg', 'audio/ogg'],
  ['opus', 'audio/ogg'],
  ['wav', 'audio/wav'],
  ['webm', 'audio/webm'],
])
const NO_TYPE: ReadonlySet<string> = new Set(['', 'application/octet-stream'])

/**
 * Returns the media type of a recording. The SDK of the OpenAI API declares no type for the files
 * it sends, so the extension then decides.
 */
export function recordingType(filename: string, declared: string): string {
  if (!NO_TYPE.has(declared.split(';')[0]!.trim().toLowerCase())) return declared
  return TYPES.get(extensionOf(filename)) ?? declared
}

const matches = (type: string, pattern: string): boolean =>
  pattern.endsWith('/*') ? type.startsWith(pattern.slice(0, -1)) : type === pattern

/** Reports whether recordings of this media type are accepted. */
export function takesType(settings: AudioSettings, contentType: string): boolean {
  const type = contentType.split(';')[0]!.trim().toLowerCase()
  const set = settings.get('AUDIO_STT_SUPPORTED_CONTENT_TYPES').filter((each) => each.trim() !== '')
  return (set.length > 0 ? set : USUAL_TYPES).some((each) =>
    matches(type, each.trim().toLowerCase()),
  )
}

export function takesName(settings: AudioSettings, filename: string): boolean {
  const allowed = settings.get('AUDIO_STT_ALLOWED_EXTENSIONS').map((each) => each.toLowerCase())
  return allowed.length === 0 || allowed.includes(extensionOf(filename))
}

/** Throws 400 if the file extension is not an accepted one. */
export function checkName(settings: AudioSettings, filename: string): void {
  if (takesName(settings, filename)) return
  const allowed = settings.get('AUDIO_STT_ALLOWED_EXTENSIONS').join(', ')
  throw badRequest(`Recordings have to end in one of: ${allowed}.`, { code: 'unsupported_type' })
}

/** Throws 400 if the media type is not that of a recording. */
export function checkType(settings: AudioSettings, contentType: string): void {
  if (!takesType(settings, contentType))
    throw badRequest('This is no recording: its type is none of those that are taken.', {
      code: 'unsupported_type',
    })
}

/** Throws 400 if the language is not a valid tag. */
export function readLanguage(text: string | undefined): string | null {
  const language = text?.trim() ?? ''
  if (language === '') return null
  if (!LANGUAGE.test(language))
    throw badRequest('The language is not a tag such as "de".', { code: 'invalid_language' })
  return language
}

/** Throws 400 if the temperature is not a number from 0 to 1. */
export function readHints({
  prompt = '',
  temperature = '',
}: TranscriptionHints): TranscriptionHints {
  const degree = Number(temperature)
  if (!(degree >= 0 && degree <= 1))
    throw badRequest('The temperature has to be a number from 0 to 1.', {
      code: 'invalid_temperature',
      param: 'temperature',
    })
  return { ...(prompt !== '' && { prompt }), ...(temperature !== '' && { temperature }) }
}

const isWorthAnother = (error: unknown, signal: AbortSignal): boolean =>
  !signal.aborted && error instanceof ServiceError && error.status >= 500 && error.status !== 504

/**
 * Transcribes a recording of a call that is counted already; retries once if the server failed.
 * Throws 413 or 400 for a recording that is too large or empty.
 */
export async function transcribeCounted(
  { settings, client, bounds, local }: TranscribeParts,
  recording: Recording,
  ended: AbortSignal,
): Promise<string> {
  if (recording.size > mostRecordingBytes(settings)) throw tooLarge(tooLargeRecording(settings))
  if (recording.size === 0) throw badRequest('The recording is empty.', { code: 'empty_recording' })
  return bounds.limitTime(ended, async (signal) => {
    if (await local.listens()) return local.transcribe(recording, signal)
    const { call, readText } = toTranscriptionCall(settings, recording)
    const options = { signal, idleMilliseconds: settings.get('AUDIO_TIMEOUT') * 1000 }
    const ask = async (): Promise<string> =>
      readText(await client.json(call, options, TEXT_BYTES)).trim()
    try {
      return await ask()
    } catch (error) {
      if (!isWorthAnother(error, signal)) throw error
      return ask()
    }
  })
}

/** Transcribes a recording of a user as a call of its own. */
export const transcribe = (
  parts: TranscribeParts,
  recording: Recording,
  { userId, signal }: { readonly userId: string; readonly signal: AbortSignal },
): Promise<string> => parts.bounds.count(userId, () => transcribeCounted(parts, recording, signal))
