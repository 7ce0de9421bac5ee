import { doneSchema, idSchema, jsonObjectSchema } from './common.ts'
import { defineEndpoints } from './endpoint.ts'
import { modelDownloadSchema } from './engine.ts'
import { z } from './lazy-zod.ts'

/**
 * Text-to-speech engines. Other values are stored as they are and rejected when speech is
 * requested; an empty one leaves speech output to each user's device.
 */
export const SPEECH_ENGINES = Object.freeze(['openai', 'elevenlabs', 'azure'] as const)

/**
 * Speech-to-text engines; other values are stored as they are and rejected on use. `local` is a
 * model on the gateway's computer, which an empty value also selects if the model is present.
 */
export const TRANSCRIPTION_ENGINES = Object.freeze([
  'local',
  'openai',
  'mistral',
  'deepgram',
] as const)

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
    /** Further fields of the call, which override those of the caller. */
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
    /** Accepted media types; an empty list accepts `audio/*` and `video/webm`. */
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
 * Configuration of text-to-speech (`tts`) and speech-to-text (`stt`). A stored key reads as
 * `SECRET_MASK`, and sending the mask back keeps it; an empty one removes it.
 */
export const audioConfigSchema = z
  .object({ tts: speechConfigSchema, stt: transcriptionConfigSchema })
  .meta({ id: 'AudioConfig' })
export type AudioConfig = z.output<typeof audioConfigSchema>

/**
 * Text to be spoken, with any other fields of the endpoint; engine `openai` receives the fields as
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
const MODEL_UPLOAD_LIMIT = 8 * 1024 * MEBIBYTE

/** A speech model on the gateway's computer. Sizes are bytes. */
export const speechModelSchema = z
  .object({
    name: z.string(),
    bytes: z.number(),
    /** Approximate memory it needs while it transcribes. */
    memory: z.number(),
    fits: z.boolean(),
    /** True if it understands languages other than English; null if unknown. */
    multilingual: z.boolean().nullable(),
    /** True for the model in use. */
    used: z.boolean(),
    /** Reason it cannot be used. */
    problem: z.string().nullable(),
  })
  .meta({ id: 'SpeechModel' })
export type SpeechModel = z.output<typeof speechModelSchema>

/** A speech model of the short list on offer. */
export const offeredSpeechModelSchema = z
  .object({
    name: z.string(),
    title: z.string(),
    bytes: z.number(),
    memory: z.number(),
    fits: z.boolean(),
    license: z.string(),
    multilingual: z.boolean(),
  })
  .meta({ id: 'OfferedSpeechModel' })
export type OfferedSpeechModel = z.output<typeof offeredSpeechModelSchema>

export const localSpeechSchema = z
  .object({
    memory: z.object({ total: z.number(), free: z.number() }),
    disk_free: z.number(),
    /** True if the engine cannot use the vector units of the processor, and is many times slower. */
    slow: z.boolean(),
    models: z.array(speechModelSchema),
    downloads: z.array(modelDownloadSchema),
    offered: z.array(offeredSpeechModelSchema),
  })
  .meta({ id: 'LocalSpeech' })
export type LocalSpeech = z.output<typeof localSpeechSchema>

const downloadParams = z.object({ id: idSchema })
const speechModelName = z.string().min(1).max(200)

/** Paths below the other base URLs of OpenAI clients. */
const atRoots = (path: string): readonly string[] => [`/v1${path}`, `/api${path}`]

export const audioEndpoints = defineEndpoints(
  { domain: 'audio', tag: 'Audio', root: '/api/v1/audio' },
  {
    config: {
      method: 'GET',
      path: '/config',
      auth: 'admin',
      response: audioConfigSchema,
      summary: 'Engines of speech synthesis and recognition; keys are masked.',
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
        'Changes the engines of speech synthesis and recognition. A mask sent back keeps the stored key.',
    },
    speech: {
      method: 'POST',
      path: '/speech',
      aliases: [...atRoots('/audio/speech'), '/openai/audio/speech'],
      permission: 'chat.tts',
      reply: 'stream',
      replyTypes: ['audio/mpeg'],
      errorDialect: 'chat-completions',
      body: speechSchema,
      response: z.unknown(),
      errors: [400, 403, 404, 429, 502, 504],
      summary:
        'Converts text to speech, sent while the engine produces it. 404 if no engine is set, because the device speaks then.',
    },
    transcriptions: {
      method: 'POST',
      path: '/transcriptions',
      aliases: atRoots('/audio/transcriptions'),
      permission: 'chat.stt',
      reply: 'stream',
      replyTypes: ['application/json', 'text/plain', 'text/event-stream'],
      upload: { types: ['multipart/form-data'], limit: 1000 * MEBIBYTE },
      errorDialect: 'chat-completions',
      response: transcriptSchema,
      errors: [400, 403, 413, 415, 429, 502, 503, 504],
      summary:
        'The text of a recording, sent as the part `file` of a form, with `language` where it is known; as plain text or events with `response_format` or `stream`.',
    },
    models: {
      method: 'GET',
      path: '/models',
      response: z.object({ models: namedSchema }),
      summary: 'Models of the speech engine; empty if the device speaks.',
    },
    voices: {
      method: 'GET',
      path: '/voices',
      response: z.object({ voices: namedSchema }),
      summary: 'Voices of the speech engine; empty if the device speaks.',
    },
    localState: {
      method: 'GET',
      path: '/local',
      auth: 'admin',
      response: localSpeechSchema,
      summary:
        "The speech models on the gateway's computer, their downloads, and the models that are offered.",
    },
    localDownload: {
      method: 'POST',
      path: '/local/downloads',
      auth: 'admin',
      body: z.object({ name: speechModelName }),
      response: modelDownloadSchema,
      errors: [400, 403, 409, 502],
      summary: 'Starts or continues the download of an offered speech model.',
    },
    localPause: {
      method: 'POST',
      path: '/local/downloads/:id/pause',
      auth: 'admin',
      params: downloadParams,
      response: doneSchema,
      errors: [404],
      summary: 'Pauses the download of a speech model; its incomplete file stays.',
    },
    localResume: {
      method: 'POST',
      path: '/local/downloads/:id/resume',
      auth: 'admin',
      params: downloadParams,
      response: doneSchema,
      errors: [404],
      summary: 'Continues the paused download of a speech model.',
    },
    localCancel: {
      method: 'DELETE',
      path: '/local/downloads/:id',
      auth: 'admin',
      params: downloadParams,
      response: doneSchema,
      errors: [404],
      summary: 'Cancels the download of a speech model and deletes its incomplete file.',
    },
    localUpload: {
      method: 'POST',
      path: '/local/models/upload',
      auth: 'admin',
      query: z.object({ filename: speechModelName }),
      upload: { types: ['application/octet-stream'], limit: MODEL_UPLOAD_LIMIT },
      response: speechModelSchema,
      errors: [400, 409, 413, 415],
      summary: 'Uploads the file of a speech model.',
    },
    localUse: {
      method: 'POST',
      path: '/local/models/:name/use',
      auth: 'admin',
      params: z.object({ name: speechModelName }),
      response: doneSchema,
      errors: [404],
      summary: 'Selects the speech model that recognizes speech.',
    },
    localRemove: {
      method: 'DELETE',
      path: '/local/models/:name',
      auth: 'admin',
      params: z.object({ name: speechModelName }),
      response: doneSchema,
      errors: [404],
      summary: 'Deletes the file of a speech model.',
    },
  },
)
