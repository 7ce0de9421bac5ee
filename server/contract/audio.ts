import { jsonObjectSchema } from './common.ts'
import { defineEndpoints } from './endpoint.ts'
import { z } from './lazy-zod.ts'

/**
 * What turns text into speech. Other words are kept as they are and refused when speech is asked
 * for; empty leaves speaking to the device of each person.
 */
export const SPEECH_ENGINES = Object.freeze(['openai', 'elevenlabs', 'azure'] as const)

/** What turns speech into text; the same holds for other words. */
export const TRANSCRIPTION_ENGINES = Object.freeze(['openai', 'mistral', 'deepgram'] as const)

const nameSchema = z.string().max(512)
const addressSchema = z.string().trim().max(2000)
const keySchema = z.string().max(10_000)

const speechConfigSchema = z
  .object({
    ENGINE: z.string().max(100),
    MODEL: nameSchema,
    VOICE: nameSchema,
    /** `punctuation`, `paragraphs` or `none`. */
    SPLIT_ON: z.string().max(100),
    OPENAI_API_BASE_URL: addressSchema,
    OPENAI_API_KEY: keySchema,
    /** Further fields of the call, which count before those of the caller. */
    OPENAI_PARAMS: jsonObjectSchema.nullish(),
    API_KEY: keySchema,
    AZURE_SPEECH_REGION: z.string().max(100),
    AZURE_SPEECH_BASE_URL: addressSchema.nullable(),
    AZURE_SPEECH_OUTPUT_FORMAT: z.string().max(100),
    MISTRAL_API_KEY: keySchema,
    MISTRAL_API_BASE_URL: addressSchema,
  })
  .meta({ id: 'SpeechConfig' })

const transcriptionConfigSchema = z
  .object({
    ENGINE: z.string().max(100),
    MODEL: nameSchema,
    /** Media types that are taken; an empty list takes `audio/*` and `video/webm`. */
    SUPPORTED_CONTENT_TYPES: z.array(z.string().max(100)).max(100),
    ALLOWED_EXTENSIONS: z.array(z.string().max(20)).max(100),
    OPENAI_API_BASE_URL: addressSchema,
    OPENAI_API_KEY: keySchema,
    WHISPER_MODEL: nameSchema,
    DEEPGRAM_API_KEY: keySchema,
    AZURE_API_KEY: keySchema,
    AZURE_REGION: z.string().max(100),
    AZURE_LOCALES: z.string().max(1000),
    AZURE_BASE_URL: addressSchema,
    AZURE_MAX_SPEAKERS: z.string().max(100),
    MISTRAL_API_KEY: keySchema,
    MISTRAL_API_BASE_URL: addressSchema,
    MISTRAL_USE_CHAT_COMPLETIONS: z.boolean(),
  })
  .meta({ id: 'TranscriptionConfig' })

/**
 * How text becomes speech (`tts`) and speech text (`stt`). A key that is stored reads as
 * `SECRET_MASK`, and the mask sent back keeps it; an empty one removes it.
 */
export const audioConfigSchema = z
  .object({ tts: speechConfigSchema, stt: transcriptionConfigSchema })
  .meta({ id: 'AudioConfig' })
export type AudioConfig = z.output<typeof audioConfigSchema>

/**
 * The words to be spoken, with whatever else the endpoint takes; engine `openai` gets the fields as
 * they are. The configured model is used, whatever `model` says.
 */
export const speechSchema = z
  .looseObject({
    input: z.unknown().optional(),
    voice: z.unknown().optional(),
    model: z.unknown().optional(),
    speed: z.unknown().optional(),
  })
  .meta({ id: 'Speech', example: { input: 'Good morning.', voice: 'alloy' } })

export const transcriptSchema = z
  .object({ text: z.string(), filename: z.string() })
  .meta({ id: 'Transcript' })

const namedSchema = z.array(z.object({ id: z.string(), name: z.string() }))
export type NamedVoice = z.output<typeof namedSchema>[number]

const MEBIBYTE = 1024 * 1024

export const audioEndpoints = defineEndpoints(
  { domain: 'audio', tag: 'Audio', root: '/api/v1/audio' },
  {
    config: {
      method: 'GET',
      path: '/config',
      auth: 'admin',
      response: audioConfigSchema,
      summary: 'How speech and text are made of each other; keys read as a mask.',
    },
    updateConfig: {
      method: 'POST',
      path: '/config/update',
      aliases: ['/api/v1/audio/config'],
      auth: 'admin',
      body: audioConfigSchema,
      response: audioConfigSchema,
      errors: [400],
      summary:
        'Changes how speech and text are made of each other. A mask sent back keeps the stored key.',
    },
    speech: {
      method: 'POST',
      path: '/speech',
      permission: 'chat.tts',
      reply: 'stream',
      replyTypes: ['audio/mpeg'],
      body: speechSchema,
      response: z.unknown(),
      errors: [400, 403, 404, 429, 502, 504],
      summary:
        'Speaks words, in pieces as the engine makes them. 404 while no engine is chosen, as the device speaks then.',
    },
    transcriptions: {
      method: 'POST',
      path: '/transcriptions',
      permission: 'chat.stt',
      upload: { types: ['multipart/form-data'], limit: 1000 * MEBIBYTE },
      response: transcriptSchema,
      errors: [400, 403, 413, 415, 429, 502, 504],
      summary:
        'The text of a recording, sent as the part `file` of a form, with `language` where it is known.',
    },
    models: {
      method: 'GET',
      path: '/models',
      response: z.object({ models: namedSchema }),
      summary: 'Models the engine that speaks can use; empty where the device speaks.',
    },
    voices: {
      method: 'GET',
      path: '/voices',
      response: z.object({ voices: namedSchema }),
      summary: 'Voices of the engine that speaks; empty where the device speaks.',
    },
  },
)
