import { z } from '#contract/lazy-zod.ts'
import type { SettingDefinition, SettingTexts } from '../setting-definition.ts'
import { WEB_ADDRESS } from '../web-address.ts'

const OBJECT = { schema: z.record(z.string(), z.unknown()), words: 'a JSON object' }

const text = <Key extends string>(key: Key, texts: SettingTexts, value = '') => ({
  key,
  type: 'string' as const,
  default: value,
  ...texts,
})
const address = <Key extends string>(key: Key, texts: SettingTexts, value = '') => ({
  ...text(key, texts, value),
  pattern: WEB_ADDRESS,
})
const secret = <Key extends string>(key: Key, texts: SettingTexts) => ({
  ...text(key, texts),
  secret: true,
})

const speech = [
  text('AUDIO_TTS_ENGINE', {
    name: 'What speaks',
    searchWords: 'voice audio read aloud',
    help: 'What speaks: openai, elevenlabs or azure. Empty leaves it to the voices of each person’s device.',
  }),
  text(
    'AUDIO_TTS_MODEL',
    {
      name: 'Model that speaks',
      searchWords: 'voice audio read aloud',
      help: 'Model that speaks.',
    },
    'tts-1',
  ),
  text(
    'AUDIO_TTS_VOICE',
    {
      name: 'Voice',
      searchWords: 'voice audio read aloud',
      help: 'Voice unless a person chose another one.',
    },
    'alloy',
  ),
  {
    key: 'AUDIO_TTS_SPLIT_ON',
    name: 'Where answers are cut to be spoken',
    searchWords: 'voice audio read aloud',
    type: 'string',
    default: 'punctuation',
    allowed: ['punctuation', 'paragraphs', 'none'],
    help: 'Where an answer is cut to be spoken piece by piece.',
  },
  address(
    'AUDIO_TTS_OPENAI_API_BASE_URL',
    {
      name: 'Speech address (OpenAI style)',
      searchWords: 'voice audio read aloud',
      help: 'Endpoint of engine openai, without /audio.',
    },
    'https://api.openai.com/v1',
  ),
  secret('AUDIO_TTS_OPENAI_API_KEY', {
    name: 'Speech API key (OpenAI style)',
    searchWords: 'voice audio read aloud',
    help: 'Key of that endpoint.',
  }),
  {
    key: 'AUDIO_TTS_OPENAI_PARAMS',
    name: 'Additional speech parameters (OpenAI style)',
    searchWords: 'voice audio read aloud',
    type: 'json',
    default: '{}',
    json: OBJECT,
    help: 'Further parameters for it, such as {"instructions": "Speak slowly."}.',
  },
  secret('AUDIO_TTS_API_KEY', {
    name: 'Speech API key (ElevenLabs or Azure)',
    searchWords: 'voice audio read aloud',
    help: 'Key of engine elevenlabs or azure.',
  }),
  address(
    'ELEVENLABS_API_BASE_URL',
    {
      name: 'ElevenLabs address',
      searchWords: 'voice audio read aloud',
      help: 'Address of engine elevenlabs, without /v1.',
    },
    'https://api.elevenlabs.io',
  ),
  text('AUDIO_TTS_AZURE_SPEECH_REGION', {
    name: 'Azure speech region',
    searchWords: 'voice audio read aloud',
    help: 'Region of engine azure, such as westeurope.',
  }),
  address('AUDIO_TTS_AZURE_SPEECH_BASE_URL', {
    name: 'Azure speech address',
    searchWords: 'voice audio read aloud',
    help: 'Address of engine azure; empty goes by its region.',
  }),
  text(
    'AUDIO_TTS_AZURE_SPEECH_OUTPUT_FORMAT',
    {
      name: 'Azure speech format',
      searchWords: 'voice audio read aloud',
      help: 'Format engine azure answers in.',
    },
    'audio-24khz-160kbitrate-mono-mp3',
  ),
  secret('AUDIO_TTS_MISTRAL_API_KEY', {
    name: 'Speech API key (Mistral)',
    searchWords: 'voice audio read aloud',
    help: 'Kept for clients that set it; no engine uses it.',
  }),
  address(
    'AUDIO_TTS_MISTRAL_API_BASE_URL',
    {
      name: 'Speech address (Mistral)',
      searchWords: 'voice audio read aloud',
      help: 'Kept for clients that set it; no engine uses it.',
    },
    'https://api.mistral.ai/v1',
  ),
] as const satisfies readonly SettingDefinition[]

const transcription = [
  text('AUDIO_STT_ENGINE', {
    name: 'What turns speech into text',
    searchWords: 'voice audio microphone dictation',
    help: 'What turns speech into text: local, openai, mistral or deepgram. Empty stands for local where a speech model is there, and else for nothing.',
  }),
  text('AUDIO_STT_MODEL', {
    name: 'Model that turns speech into text',
    searchWords: 'voice audio microphone dictation',
    help: 'Model that turns speech into text.',
  }),
  {
    key: 'AUDIO_STT_SUPPORTED_CONTENT_TYPES',
    name: 'Media types of recordings',
    searchWords: 'voice audio microphone dictation',
    type: 'list',
    default: [],
    help: 'Media types that are taken, such as audio/*; empty takes all of audio and video/webm.',
  },
  {
    key: 'AUDIO_STT_ALLOWED_EXTENSIONS',
    name: 'Endings of recordings',
    searchWords: 'voice audio microphone dictation',
    type: 'list',
    default: ['mp3', 'wav', 'm4a', 'webm', 'ogg', 'flac', 'mp4', 'mpga', 'mpeg'],
    help: 'Endings of recordings that are taken.',
  },
  address(
    'AUDIO_STT_OPENAI_API_BASE_URL',
    {
      name: 'Transcription address (OpenAI style)',
      searchWords: 'voice audio microphone dictation',
      help: 'Endpoint of engine openai, without /audio.',
    },
    'https://api.openai.com/v1',
  ),
  secret('AUDIO_STT_OPENAI_API_KEY', {
    name: 'Transcription API key (OpenAI style)',
    searchWords: 'voice audio microphone dictation',
    help: 'Key of that endpoint.',
  }),
  text(
    'WHISPER_MODEL',
    {
      name: 'Local Whisper model',
      searchWords: 'voice audio microphone dictation',
      help: 'Speech model of engine local, such as base or small-q5_1.',
    },
    'base',
  ),
  secret('DEEPGRAM_API_KEY', {
    name: 'Transcription API key (Deepgram)',
    searchWords: 'voice audio microphone dictation',
    help: 'Key of engine deepgram.',
  }),
  address(
    'DEEPGRAM_API_BASE_URL',
    {
      name: 'Transcription address (Deepgram)',
      searchWords: 'voice audio microphone dictation',
      help: 'Address of engine deepgram, without /v1.',
    },
    'https://api.deepgram.com',
  ),
  secret('AUDIO_STT_AZURE_API_KEY', {
    name: 'Transcription API key (Azure)',
    searchWords: 'voice audio microphone dictation',
    help: 'Kept for clients that set it; no engine uses it.',
  }),
  text('AUDIO_STT_AZURE_REGION', {
    name: 'Transcription region (Azure)',
    searchWords: 'voice audio microphone dictation',
    help: 'Kept for clients that set it; no engine uses it.',
  }),
  text('AUDIO_STT_AZURE_LOCALES', {
    name: 'Transcription languages (Azure)',
    searchWords: 'voice audio microphone dictation',
    help: 'Kept for clients that set it; no engine uses it.',
  }),
  address('AUDIO_STT_AZURE_BASE_URL', {
    name: 'Transcription address (Azure)',
    searchWords: 'voice audio microphone dictation',
    help: 'Kept for clients that set it; no engine uses it.',
  }),
  text('AUDIO_STT_AZURE_MAX_SPEAKERS', {
    name: 'Speakers told apart (Azure)',
    searchWords: 'voice audio microphone dictation',
    help: 'Kept for clients that set it; no engine uses it.',
  }),
  secret('AUDIO_STT_MISTRAL_API_KEY', {
    name: 'Transcription API key (Mistral)',
    searchWords: 'voice audio microphone dictation',
    help: 'Key of engine mistral.',
  }),
  address(
    'AUDIO_STT_MISTRAL_API_BASE_URL',
    {
      name: 'Transcription address (Mistral)',
      searchWords: 'voice audio microphone dictation',
      help: 'Endpoint of engine mistral, without /audio.',
    },
    'https://api.mistral.ai/v1',
  ),
  {
    key: 'AUDIO_STT_MISTRAL_USE_CHAT_COMPLETIONS',
    name: 'Transcribe by chat (Mistral)',
    searchWords: 'voice audio microphone dictation',
    type: 'boolean',
    default: false,
    help: 'Kept for clients that set it; no engine uses it.',
  },
] as const satisfies readonly SettingDefinition[]

const bounds = [
  {
    key: 'AUDIO_MAX_CALLS',
    name: 'Speech calls at once',
    searchWords: 'voice audio limit',
    type: 'integer',
    default: 8,
    minimum: 1,
    maximum: 100,
    help: 'How many calls for speech or text one person may have under way at the same time.',
  },
  {
    key: 'AUDIO_TIMEOUT',
    name: 'Time limit for speech',
    searchWords: 'voice audio limit',
    type: 'integer',
    default: 300,
    minimum: 1,
    maximum: 3600,
    help: 'How many seconds one call for speech or text may take.',
  },
  {
    key: 'AUDIO_IDLE_TIMEOUT',
    name: 'Longest silence of an audio engine',
    searchWords: 'voice audio limit',
    type: 'integer',
    default: 60,
    minimum: 1,
    maximum: 3600,
    help: 'How many seconds an audio engine may stay silent.',
  },
  {
    key: 'AUDIO_MAX_SIZE',
    name: 'Maximum size of recordings and speech',
    searchWords: 'voice audio limit',
    type: 'integer',
    default: 25,
    minimum: 1,
    maximum: 1000,
    help: 'Maximum size of a recording and of the speech of one call, in MB.',
  },
  {
    key: 'AUDIO_CACHE_SIZE',
    name: 'Speech kept in memory',
    searchWords: 'voice audio limit',
    type: 'integer',
    default: 16,
    minimum: 0,
    maximum: 1000,
    help: 'How much speech is kept in memory so that the same words are not asked for again, in MB.',
  },
] as const satisfies readonly SettingDefinition[]

/** Settings of speech synthesis and speech recognition. */
export const audioSettings = [
  ...speech,
  ...transcription,
  ...bounds,
] as const satisfies readonly SettingDefinition[]
