import { TRANSCRIPTION_ENGINES } from '#contract/audio.ts'
import { badRequest, upstreamFailed } from '../../lib/errors.ts'
import { isRecord } from '../../lib/is-record.ts'
import type { AudioSettings } from '../audio-settings.ts'
import type { AudioCall } from './audio-client.ts'
import { fileBody, formBody, type StoredFile } from './form-body.ts'
import { withoutSlash } from './speech-call.ts'

/** A recording to transcribe. */
export interface Recording extends StoredFile {
  /** Such as `de`; null if unknown. */
  readonly language: string | null
  /** Fields of the caller's form for engines that take them. */
  readonly hints?: TranscriptionHints
}

/** What a caller says beside the recording: words it may contain, and how freely to guess. */
export interface TranscriptionHints {
  readonly prompt?: string
  /** From 0 to 1, as text. */
  readonly temperature?: string
}

/** The call of an engine and the parser of its response. */
export interface TranscriptionCall {
  readonly call: AudioCall
  readonly readText: (answer: unknown) => string
}

const withoutText = () =>
  upstreamFailed('The audio engine answered without a text.', { code: 'audio_engine_failed' })

function readPlainText(answer: unknown): string {
  const text = isRecord(answer) ? answer['text'] : null
  if (typeof text !== 'string') throw withoutText()
  return text
}

function callForm(
  { base, key, model }: { base: string; key: string; model: string },
  recording: Recording,
  hints: TranscriptionHints = {},
): TranscriptionCall {
  const { language } = recording
  const form = formBody({ model, ...(language !== null && { language }), ...hints }, recording)
  return {
    call: {
      address: `${withoutSlash(base)}/audio/transcriptions`,
      headers: {
        accept: 'application/json',
        'content-type': form.type,
        ...(key !== '' && { authorization: `Bearer ${key}` }),
      },
      body: form,
    },
    readText: readPlainText,
  }
}

function readDeepgram(answer: unknown): string {
  const results = isRecord(answer) ? answer['results'] : null
  const channels = isRecord(results) ? results['channels'] : null
  const first: unknown = Array.isArray(channels) ? channels[0] : null
  const choices = isRecord(first) ? first['alternatives'] : null
  const best: unknown = Array.isArray(choices) ? choices[0] : null
  const text = isRecord(best) ? best['transcript'] : null
  if (typeof text !== 'string') throw withoutText()
  return text
}

function callDeepgram(settings: AudioSettings, recording: Recording): TranscriptionCall {
  const query = new URLSearchParams({ smart_format: 'true' })
  const model = settings.get('AUDIO_STT_MODEL')
  if (model !== '') query.set('model', model)
  if (recording.language !== null) query.set('language', recording.language)
  return {
    call: {
      address: `${withoutSlash(settings.get('DEEPGRAM_API_BASE_URL'))}/v1/listen?${query.toString()}`,
      headers: {
        accept: 'application/json',
        'content-type': recording.type,
        authorization: `Token ${settings.get('DEEPGRAM_API_KEY')}`,
      },
      body: fileBody(recording),
    },
    readText: readDeepgram,
  }
}

/** Returns the call for the engine an administrator selected; 400 if there is none. */
export function toTranscriptionCall(
  settings: AudioSettings,
  recording: Recording,
): TranscriptionCall {
  const name = settings.get('AUDIO_STT_ENGINE')
  switch (name) {
    case 'openai':
      return callForm(
        {
          base: settings.get('AUDIO_STT_OPENAI_API_BASE_URL'),
          key: settings.get('AUDIO_STT_OPENAI_API_KEY'),
          model: settings.get('AUDIO_STT_MODEL') || 'whisper-1',
        },
        recording,
        recording.hints,
      )
    case 'mistral':
      return callForm(
        {
          base: settings.get('AUDIO_STT_MISTRAL_API_BASE_URL'),
          key: settings.get('AUDIO_STT_MISTRAL_API_KEY'),
          model: settings.get('AUDIO_STT_MODEL') || 'voxtral-mini-latest',
        },
        recording,
      )
    case 'deepgram':
      return callDeepgram(settings, recording)
    default:
      throw badRequest(
        name === ''
          ? 'No engine turns speech into text. An administrator can choose one.'
          : `There is no engine "${name}" that turns speech into text. An administrator can choose one of ${TRANSCRIPTION_ENGINES.join(', ')}.`,
        { code: name === '' ? 'no_transcription_engine' : 'unknown_engine' },
      )
  }
}
