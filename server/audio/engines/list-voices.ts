import type { NamedVoice } from '#contract/audio.ts'
import { isRecord } from '../../lib/is-record.ts'
import type { AudioSettings } from '../audio-settings.ts'
import type { AudioCall, AudioClient } from './audio-client.ts'
import { azureBase, azureHeaders, elevenLabsBase, withoutSlash } from './speech-call.ts'

const LIST_BYTES = 4_000_000
const LIST_MILLISECONDS = 10_000
const MOST_NAMES = 2000
const LONGEST_NAME = 200

const named = (...ids: string[]): NamedVoice[] => ids.map((id) => ({ id, name: id }))
const OPENAI_VOICES = named('alloy', 'echo', 'fable', 'onyx', 'nova', 'shimmer')
const OPENAI_MODELS = named('tts-1', 'tts-1-hd')

/** The request, the position of the list in the response, and the naming of an entry. */
interface Listing {
  readonly call: AudioCall
  readonly within: string
  readonly id: readonly string[]
  readonly name: readonly string[]
  /** Known names, used when the server has no list. */
  readonly known: NamedVoice[]
}

export interface ListParts {
  readonly settings: AudioSettings
  readonly client: AudioClient
}

function openAiListing(settings: AudioSettings, what: 'models' | 'voices'): Listing {
  const key = settings.get('AUDIO_TTS_OPENAI_API_KEY')
  return {
    call: {
      address: `${withoutSlash(settings.get('AUDIO_TTS_OPENAI_API_BASE_URL'))}/audio/${what}`,
      method: 'GET',
      headers: {
        accept: 'application/json',
        ...(key !== '' && { authorization: `Bearer ${key}` }),
      },
    },
    within: what,
    id: ['id'],
    name: ['name', 'id'],
    known: what === 'models' ? OPENAI_MODELS : OPENAI_VOICES,
  }
}

function elevenLabsListing(settings: AudioSettings, what: 'models' | 'voices'): Listing {
  return {
    call: {
      address: `${elevenLabsBase(settings)}/${what}`,
      method: 'GET',
      headers: { accept: 'application/json', 'xi-api-key': settings.get('AUDIO_TTS_API_KEY') },
    },
    within: what,
    id: [what === 'models' ? 'model_id' : 'voice_id'],
    name: ['name'],
    known: [],
  }
}

function toListing(settings: AudioSettings, what: 'models' | 'voices'): Listing | NamedVoice[] {
  const engine = settings.get('AUDIO_TTS_ENGINE')
  if (engine === 'elevenlabs') return elevenLabsListing(settings, what)
  if (engine === 'openai') {
    const base = URL.parse(settings.get('AUDIO_TTS_OPENAI_API_BASE_URL'))
    if (base?.hostname === 'api.openai.com')
      return what === 'models' ? OPENAI_MODELS : OPENAI_VOICES
    return openAiListing(settings, what)
  }
  if (engine !== 'azure' || what === 'models') return []
  return {
    call: {
      address: `${azureBase(settings)}/cognitiveservices/voices/list`,
      method: 'GET',
      headers: { accept: 'application/json', ...azureHeaders(settings) },
    },
    within: 'voices',
    id: ['ShortName'],
    name: ['DisplayName', 'ShortName'],
    known: [],
  }
}

const textOf = (entry: unknown, fields: readonly string[]): string | null => {
  const found = isRecord(entry)
    ? fields.map((field) => entry[field]).find((each) => typeof each === 'string' && each !== '')
    : entry
  return typeof found === 'string' && found !== '' ? found.slice(0, LONGEST_NAME) : null
}

function readNames(answer: unknown, { within, id, name }: Listing): NamedVoice[] {
  const list = isRecord(answer) ? (answer[within] ?? answer['data']) : answer
  const entries: unknown[] = Array.isArray(list) ? list.slice(0, MOST_NAMES) : []
  const seen = new Set<string>()
  return entries.flatMap((entry) => {
    const found = textOf(entry, id)
    if (found === null || seen.has(found)) return []
    seen.add(found)
    return [{ id: found, name: textOf(entry, name) ?? found }]
  })
}

/**
 * Returns the names the speech engine reports; if it cannot be queried, the names it is known to
 * have.
 */
export async function listNames(
  { settings, client }: ListParts,
  what: 'models' | 'voices',
  ended: AbortSignal,
): Promise<NamedVoice[]> {
  const listing = toListing(settings, what)
  if (Array.isArray(listing)) return listing
  const milliseconds = Math.min(LIST_MILLISECONDS, settings.get('AUDIO_TIMEOUT') * 1000)
  const signal = AbortSignal.any([ended, AbortSignal.timeout(milliseconds)])
  const options = { signal, idleMilliseconds: milliseconds }
  try {
    const names = readNames(await client.json(listing.call, options, LIST_BYTES), listing)
    return names.length > 0 ? names : listing.known
  } catch (error) {
    if (ended.aborted) throw error
    return listing.known
  }
}
