import { SPEECH_ENGINES } from '#contract/audio.ts'
import { badRequest, notFound } from '../../lib/errors.ts'
import type { AudioSettings } from '../audio-settings.ts'
import type { AudioCall } from './audio-client.ts'

/** The fields of a speech request as received. */
export type SpeechFields = Readonly<Record<string, unknown>>

const JSON_TYPE = { 'content-type': 'application/json', accept: 'audio/*' }

export const withoutSlash = (base: string): string => base.replace(/\/+$/, '')

const isEmpty = (value: unknown): boolean => value === undefined || value === null || value === ''

const toText = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : ''

function requireText(input: unknown): string {
  const text = toText(input)
  if (text.trim() === '')
    throw badRequest('There are no words to speak. Send them as "input".', { code: 'no_words' })
  return text
}

const voiceOf = (settings: AudioSettings, voice: unknown): string =>
  isEmpty(voice) ? settings.get('AUDIO_TTS_VOICE') : toText(voice)

const bearer = (key: string): Readonly<Record<string, string>> =>
  key === '' ? {} : { authorization: `Bearer ${key}` }

/** Passes the fields on unchanged, so that such an endpoint can use any fields it supports. */
function callOpenAi(settings: AudioSettings, fields: SpeechFields): AudioCall {
  const body = {
    ...fields,
    model: settings.get('AUDIO_TTS_MODEL'),
    ...(isEmpty(fields['voice']) && { voice: settings.get('AUDIO_TTS_VOICE') }),
    ...settings.get('AUDIO_TTS_OPENAI_PARAMS'),
  }
  return {
    address: `${withoutSlash(settings.get('AUDIO_TTS_OPENAI_API_BASE_URL'))}/audio/speech`,
    headers: { ...JSON_TYPE, ...bearer(settings.get('AUDIO_TTS_OPENAI_API_KEY')) },
    body: JSON.stringify(body),
  }
}

/** The vendors refuse speeds outside these limits. */
const ELEVENLABS_SPEED = { least: 0.7, most: 1.2 }
const AZURE_SPEED = { least: 0.5, most: 2 }

function speedOf(speed: unknown, { least, most }: { least: number; most: number }): number {
  const wanted = typeof speed === 'number' && Number.isFinite(speed) ? speed : 1
  return Math.min(most, Math.max(least, wanted))
}

export const elevenLabsBase = (settings: AudioSettings): string =>
  `${withoutSlash(settings.get('ELEVENLABS_API_BASE_URL'))}/v1`

function callElevenLabs(settings: AudioSettings, fields: SpeechFields): AudioCall {
  const voice = encodeURIComponent(voiceOf(settings, fields['voice']))
  const speed = speedOf(fields['speed'], ELEVENLABS_SPEED)
  return {
    address: `${elevenLabsBase(settings)}/text-to-speech/${voice}/stream`,
    headers: { ...JSON_TYPE, 'xi-api-key': settings.get('AUDIO_TTS_API_KEY') },
    body: JSON.stringify({
      text: requireText(fields['input']),
      model_id: settings.get('AUDIO_TTS_MODEL'),
      voice_settings: { stability: 0.5, similarity_boost: 0.5, ...(speed !== 1 && { speed }) },
    }),
  }
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
}
/** Characters that XML cannot contain at all. */
// oxlint-disable-next-line no-control-regex -- control characters are removed
const NOT_IN_XML = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g

const escapeXml = (text: string): string =>
  text
    .toWellFormed()
    .replace(NOT_IN_XML, '')
    .replace(/[&<>"']/g, (found) => ENTITIES[found]!)

export const azureHeaders = (settings: AudioSettings): Readonly<Record<string, string>> => ({
  'ocp-apim-subscription-key': settings.get('AUDIO_TTS_API_KEY'),
})

export function azureBase(settings: AudioSettings): string {
  const base = withoutSlash(settings.get('AUDIO_TTS_AZURE_SPEECH_BASE_URL'))
  if (base !== '') return base
  const region = settings.get('AUDIO_TTS_AZURE_SPEECH_REGION').trim() || 'eastus'
  if (!/^[a-z0-9-]+$/i.test(region))
    throw badRequest('The region of the audio engine is none, such as westeurope.', {
      code: 'audio_engine_failed',
    })
  return `https://${region}.tts.speech.microsoft.com`
}

function callAzure(settings: AudioSettings, fields: SpeechFields): AudioCall {
  const voice = voiceOf(settings, fields['voice'])
  // Voice names look like de-DE-KatjaNeural.
  const language = /^[a-z]{2,3}-[a-z]{2,4}/i.exec(voice)?.[0] ?? 'en-US'
  const percent = Math.round((speedOf(fields['speed'], AZURE_SPEED) - 1) * 100)
  const words = escapeXml(requireText(fields['input']))
  const spoken =
    percent === 0
      ? words
      : `<prosody rate="${percent > 0 ? '+' : ''}${percent}%">${words}</prosody>`
  return {
    address: `${azureBase(settings)}/cognitiveservices/v1`,
    headers: {
      ...azureHeaders(settings),
      'content-type': 'application/ssml+xml',
      'x-microsoft-outputformat': settings.get('AUDIO_TTS_AZURE_SPEECH_OUTPUT_FORMAT'),
      'user-agent': 'chat-gateway',
    },
    body:
      `<speak version="1.0" xmlns="http://www.w3.org/2001/10/synthesis" xml:lang="${language}">` +
      `<voice name="${escapeXml(voice)}">${spoken}</voice></speak>`,
  }
}

/**
 * Returns the call for the engine an administrator selected; 404 if devices do the speaking, 400
 * for invalid input.
 */
export function toSpeechCall(settings: AudioSettings, fields: SpeechFields): AudioCall {
  const name = settings.get('AUDIO_TTS_ENGINE')
  switch (name) {
    case '':
      throw notFound(
        'No engine speaks for the gateway; the voices of your device can. An administrator can choose an engine.',
        { code: 'no_speech_engine' },
      )
    case 'openai':
      return callOpenAi(settings, fields)
    case 'elevenlabs':
      return callElevenLabs(settings, fields)
    case 'azure':
      return callAzure(settings, fields)
    default:
      throw badRequest(
        `There is no engine "${name}" that speaks. An administrator can choose one of ${SPEECH_ENGINES.join(', ')}.`,
        { code: 'unknown_engine' },
      )
  }
}
