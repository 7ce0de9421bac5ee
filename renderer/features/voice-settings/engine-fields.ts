/** Speech or recognition engine, as named in the settings; `none` disables it. */
export type EngineKind =
  | 'none'
  | 'local'
  | 'openai'
  | 'elevenlabs'
  | 'azure'
  | 'mistral'
  | 'deepgram'

type FieldName = 'address' | 'region' | 'key' | 'model' | 'voice'

/** An input of the form and its setting. */
export interface EngineField {
  readonly name: FieldName
  readonly key: string
}

/** Speech or recognition, with its available engines. */
export interface Direction {
  readonly name: 'speak' | 'listen'
  readonly engine: string
  readonly kinds: readonly EngineKind[]
  readonly fields: Readonly<Partial<Record<EngineKind, readonly EngineField[]>>>
}

const SPEECH_MODEL = { name: 'model', key: 'AUDIO_TTS_MODEL' } as const
const SPEECH_VOICE = { name: 'voice', key: 'AUDIO_TTS_VOICE' } as const
const SPEECH_KEY = { name: 'key', key: 'AUDIO_TTS_API_KEY' } as const
const TEXT_MODEL = { name: 'model', key: 'AUDIO_STT_MODEL' } as const

export const SPEAK: Direction = Object.freeze<Direction>({
  name: 'speak',
  engine: 'AUDIO_TTS_ENGINE',
  kinds: ['none', 'openai', 'elevenlabs', 'azure'],
  fields: {
    openai: [
      { name: 'address', key: 'AUDIO_TTS_OPENAI_API_BASE_URL' },
      { name: 'key', key: 'AUDIO_TTS_OPENAI_API_KEY' },
      SPEECH_MODEL,
      SPEECH_VOICE,
    ],
    elevenlabs: [
      { name: 'address', key: 'ELEVENLABS_API_BASE_URL' },
      SPEECH_KEY,
      SPEECH_MODEL,
      SPEECH_VOICE,
    ],
    azure: [
      { name: 'region', key: 'AUDIO_TTS_AZURE_SPEECH_REGION' },
      { name: 'address', key: 'AUDIO_TTS_AZURE_SPEECH_BASE_URL' },
      SPEECH_KEY,
      SPEECH_VOICE,
    ],
  },
})

export const LISTEN: Direction = Object.freeze<Direction>({
  name: 'listen',
  engine: 'AUDIO_STT_ENGINE',
  kinds: ['none', 'local', 'openai', 'mistral', 'deepgram'],
  fields: {
    openai: [
      { name: 'address', key: 'AUDIO_STT_OPENAI_API_BASE_URL' },
      { name: 'key', key: 'AUDIO_STT_OPENAI_API_KEY' },
      TEXT_MODEL,
    ],
    mistral: [
      { name: 'address', key: 'AUDIO_STT_MISTRAL_API_BASE_URL' },
      { name: 'key', key: 'AUDIO_STT_MISTRAL_API_KEY' },
      TEXT_MODEL,
    ],
    deepgram: [
      { name: 'address', key: 'DEEPGRAM_API_BASE_URL' },
      { name: 'key', key: 'DEEPGRAM_API_KEY' },
      TEXT_MODEL,
    ],
  },
})
