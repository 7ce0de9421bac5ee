import { z } from '#contract/lazy-zod.ts'
import { address, foundBy, integer, json, list, secret, text, toggle } from '../rows.ts'
import type { SettingDefinition } from '../setting-definition.ts'

const OBJECT = { schema: z.record(z.string(), z.unknown()), words: 'a JSON object' }

const speech = foundBy('voice audio read aloud', [
  text('AUDIO_TTS_ENGINE', '', {
    name: 'What speaks',
    help: 'What speaks: openai, elevenlabs or azure. Empty leaves it to the voices of each person’s device.',
  }),
  text('AUDIO_TTS_MODEL', 'tts-1', {
    name: 'Model that speaks',
    help: 'Model that speaks.',
  }),
  text('AUDIO_TTS_VOICE', 'alloy', {
    name: 'Voice',
    help: 'Voice unless a person chose another one.',
  }),
  text('AUDIO_TTS_SPLIT_ON', 'punctuation', {
    name: 'Where answers are cut to be spoken',
    allowed: ['punctuation', 'paragraphs', 'none'],
    help: 'Where an answer is cut to be spoken piece by piece.',
  }),
  address('AUDIO_TTS_OPENAI_API_BASE_URL', 'https://api.openai.com/v1', {
    name: 'Speech address (OpenAI style)',
    help: 'Endpoint of engine openai, without /audio.',
  }),
  secret('AUDIO_TTS_OPENAI_API_KEY', {
    name: 'Speech API key (OpenAI style)',
    help: 'Key of that endpoint.',
  }),
  json('AUDIO_TTS_OPENAI_PARAMS', '{}', {
    name: 'Additional speech parameters (OpenAI style)',
    json: OBJECT,
    help: 'Further parameters for it, such as {"instructions": "Speak slowly."}.',
  }),
  secret('AUDIO_TTS_API_KEY', {
    name: 'Speech API key (ElevenLabs or Azure)',
    help: 'Key of engine elevenlabs or azure.',
  }),
  address('ELEVENLABS_API_BASE_URL', 'https://api.elevenlabs.io', {
    name: 'ElevenLabs address',
    help: 'Address of engine elevenlabs, without /v1.',
  }),
  text('AUDIO_TTS_AZURE_SPEECH_REGION', '', {
    name: 'Azure speech region',
    help: 'Region of engine azure, such as westeurope.',
  }),
  address('AUDIO_TTS_AZURE_SPEECH_BASE_URL', '', {
    name: 'Azure speech address',
    help: 'Address of engine azure; empty goes by its region.',
  }),
  text('AUDIO_TTS_AZURE_SPEECH_OUTPUT_FORMAT', 'audio-24khz-160kbitrate-mono-mp3', {
    name: 'Azure speech format',
    help: 'Format engine azure answers in.',
  }),
  secret('AUDIO_TTS_MISTRAL_API_KEY', {
    name: 'Speech API key (Mistral)',
    help: 'Kept for clients that set it; no engine uses it.',
  }),
  address('AUDIO_TTS_MISTRAL_API_BASE_URL', 'https://api.mistral.ai/v1', {
    name: 'Speech address (Mistral)',
    help: 'Kept for clients that set it; no engine uses it.',
  }),
])

const transcription = foundBy('voice audio microphone dictation', [
  text('AUDIO_STT_ENGINE', '', {
    name: 'What turns speech into text',
    help: 'What turns speech into text: local, openai, mistral or deepgram. Empty stands for local where a speech model is there, and else for nothing.',
  }),
  text('AUDIO_STT_MODEL', '', {
    name: 'Model that turns speech into text',
    help: 'Model that turns speech into text.',
  }),
  list('AUDIO_STT_SUPPORTED_CONTENT_TYPES', [], {
    name: 'Media types of recordings',
    help: 'Media types that are taken, such as audio/*; empty takes all of audio and video/webm.',
  }),
  list(
    'AUDIO_STT_ALLOWED_EXTENSIONS',
    ['mp3', 'wav', 'm4a', 'webm', 'ogg', 'flac', 'mp4', 'mpga', 'mpeg'],
    {
      name: 'Endings of recordings',
      help: 'Endings of recordings that are taken.',
    },
  ),
  address('AUDIO_STT_OPENAI_API_BASE_URL', 'https://api.openai.com/v1', {
    name: 'Transcription address (OpenAI style)',
    help: 'Endpoint of engine openai, without /audio.',
  }),
  secret('AUDIO_STT_OPENAI_API_KEY', {
    name: 'Transcription API key (OpenAI style)',
    help: 'Key of that endpoint.',
  }),
  text('WHISPER_MODEL', 'base', {
    name: 'Local Whisper model',
    help: 'Speech model of engine local, such as base or small-q5_1.',
  }),
  secret('DEEPGRAM_API_KEY', {
    name: 'Transcription API key (Deepgram)',
    help: 'Key of engine deepgram.',
  }),
  address('DEEPGRAM_API_BASE_URL', 'https://api.deepgram.com', {
    name: 'Transcription address (Deepgram)',
    help: 'Address of engine deepgram, without /v1.',
  }),
  secret('AUDIO_STT_AZURE_API_KEY', {
    name: 'Transcription API key (Azure)',
    help: 'Kept for clients that set it; no engine uses it.',
  }),
  text('AUDIO_STT_AZURE_REGION', '', {
    name: 'Transcription region (Azure)',
    help: 'Kept for clients that set it; no engine uses it.',
  }),
  text('AUDIO_STT_AZURE_LOCALES', '', {
    name: 'Transcription languages (Azure)',
    help: 'Kept for clients that set it; no engine uses it.',
  }),
  address('AUDIO_STT_AZURE_BASE_URL', '', {
    name: 'Transcription address (Azure)',
    help: 'Kept for clients that set it; no engine uses it.',
  }),
  text('AUDIO_STT_AZURE_MAX_SPEAKERS', '', {
    name: 'Speakers told apart (Azure)',
    help: 'Kept for clients that set it; no engine uses it.',
  }),
  secret('AUDIO_STT_MISTRAL_API_KEY', {
    name: 'Transcription API key (Mistral)',
    help: 'Key of engine mistral.',
  }),
  address('AUDIO_STT_MISTRAL_API_BASE_URL', 'https://api.mistral.ai/v1', {
    name: 'Transcription address (Mistral)',
    help: 'Endpoint of engine mistral, without /audio.',
  }),
  toggle('AUDIO_STT_MISTRAL_USE_CHAT_COMPLETIONS', false, {
    name: 'Transcribe by chat (Mistral)',
    help: 'Kept for clients that set it; no engine uses it.',
  }),
])

const bounds = foundBy('voice audio limit', [
  integer('AUDIO_MAX_CALLS', 8, [1, 100], {
    name: 'Speech calls at once',
    help: 'How many calls for speech or text one person may have under way at the same time.',
  }),
  integer('AUDIO_TIMEOUT', 300, [1, 3600], {
    name: 'Time limit for speech',
    help: 'How many seconds one call for speech or text may take.',
  }),
  integer('AUDIO_IDLE_TIMEOUT', 60, [1, 3600], {
    name: 'Longest silence of an audio engine',
    help: 'How many seconds an audio engine may stay silent.',
  }),
  integer('AUDIO_MAX_SIZE', 25, [1, 1000], {
    name: 'Maximum size of recordings and speech',
    help: 'Maximum size of a recording and of the speech of one call, in MB.',
  }),
  integer('AUDIO_CACHE_SIZE', 16, [0, 1000], {
    name: 'Speech kept in memory',
    help: 'How much speech is kept in memory so that the same words are not asked for again, in MB.',
  }),
])

/** Settings of speech synthesis and speech recognition. */
export const audioSettings = [
  ...speech,
  ...transcription,
  ...bounds,
] as const satisfies readonly SettingDefinition[]
