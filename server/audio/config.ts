import { audioConfigSchema, type AudioConfig } from '#contract/audio.ts'
import type { SettingValue } from '#contract/settings.ts'
import { SECRET_MASK } from '#contract/tool-servers.ts'
import { badRequest } from '../lib/errors.ts'
import type { SettingName } from '../settings/index.ts'
import type { AudioSettings } from './audio-settings.ts'

/** Fields whose setting has a different name. */
const OWN_NAMES: Readonly<Record<string, SettingName>> = {
  AUDIO_STT_WHISPER_MODEL: 'WHISPER_MODEL',
  AUDIO_STT_DEEPGRAM_API_KEY: 'DEEPGRAM_API_KEY',
}
const SPLITS: readonly string[] = ['punctuation', 'paragraphs', 'none']

type Name = Parameters<AudioSettings['get']>[0]
type Direction = keyof AudioConfig

const keyOf = (direction: Direction, field: string): Name => {
  const name = `AUDIO_${direction.toUpperCase()}_${field}`
  return (OWN_NAMES[name] ?? name) as Name
}
const isSecret = (field: string): boolean => field.endsWith('API_KEY')

function readDirection(settings: AudioSettings, direction: Direction): Record<string, unknown> {
  const fields = Object.keys(audioConfigSchema.shape[direction].shape)
  return Object.fromEntries(
    fields.map((field) => {
      const value = settings.get(keyOf(direction, field))
      return [field, isSecret(field) && value !== '' ? SECRET_MASK : value]
    }),
  )
}

/** Returns the configuration as its form shows it, without the keys. */
export const readConfig = (settings: AudioSettings): AudioConfig =>
  ({
    tts: readDirection(settings, 'tts'),
    stt: readDirection(settings, 'stt'),
  }) as unknown as AudioConfig

const toValue = (value: unknown): SettingValue => {
  if (Array.isArray(value) || typeof value === 'boolean' || typeof value === 'string')
    return value as SettingValue
  return value === null || value === undefined ? '' : JSON.stringify(value)
}

/** Stores a configuration; responds with 400 and an error message if it cannot work. */
export async function updateConfig(
  settings: AudioSettings,
  sent: AudioConfig,
): Promise<AudioConfig> {
  if (!SPLITS.includes(sent.tts.SPLIT_ON))
    throw badRequest(`SPLIT_ON must be one of ${SPLITS.join(', ')}.`, { code: 'invalid_setting' })
  const changes: Record<string, SettingValue> = {}
  for (const direction of ['tts', 'stt'] as const) {
    for (const [field, value] of Object.entries(sent[direction])) {
      if (isSecret(field) && value === SECRET_MASK) continue
      changes[keyOf(direction, field)] =
        field === 'OPENAI_PARAMS' ? JSON.stringify(value ?? {}) : toValue(value)
    }
  }
  await settings.update(changes)
  return readConfig(settings)
}
