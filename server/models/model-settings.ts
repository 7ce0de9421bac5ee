import type { EvaluationsConfig, EvaluationsConfigInput } from '#contract/evaluations.ts'
import type { ModelsConfig, ModelsConfigInput } from '#contract/model-defaults.ts'
import type { ModelPrice } from '#contract/model-prices.ts'
import type { SettingValue } from '#contract/settings.ts'
import { checkPlainJson } from '../lib/check-plain-json.ts'
import { badRequest } from '../lib/errors.ts'
import type { ModelsSettings } from './models-settings.ts'
import { checkProfileImage } from './profile-image.ts'

/** Settings about models in the shape of their own endpoints. */
export interface ModelSettings {
  config(): ModelsConfig
  updateConfig(input: ModelsConfigInput): ModelsConfig
  evaluations(): EvaluationsConfig
  updateEvaluations(input: EvaluationsConfigInput): EvaluationsConfig
  prices(): ModelPrice[]
  updatePrices(prices: readonly ModelPrice[]): ModelPrice[]
}

/**
 * Settings `describe-model` and `merge-preset` read, so that what was built from them is old when
 * they change.
 */
export const MODEL_DEFAULTS: ReadonlySet<string> = new Set([
  'DEFAULT_MODEL_METADATA',
  'DEFAULT_MODEL_PARAMS',
])

const JSON_SETTINGS: ReadonlySet<string> = new Set([...MODEL_DEFAULTS, 'EVALUATION_ARENA_MODELS'])

/** Absent stays absent, null goes back to the default, JSON travels as its text. */
function toSettings(input: Readonly<Record<string, unknown>>): Record<string, SettingValue> {
  const entries = Object.entries(input).filter(([, value]) => value !== undefined)
  const toValue = (key: string, value: unknown): SettingValue =>
    JSON_SETTINGS.has(key) && value !== null ? JSON.stringify(value) : (value as SettingValue)
  return Object.fromEntries(entries.map(([key, value]) => [key, toValue(key, value)]))
}

function checkArenas(arenas: EvaluationsConfig['EVALUATION_ARENA_MODELS']): void {
  checkPlainJson(arenas, 'The setting')
  for (const { meta } of arenas) checkProfileImage(meta.profile_image_url)
  if (new Set(arenas.map(({ id }) => id)).size < arenas.length)
    throw badRequest('Each arena model needs an id of its own.')
}

export function createModelSettings(settings: ModelsSettings): ModelSettings {
  const config = (): ModelsConfig => ({
    DEFAULT_MODELS: settings.get('DEFAULT_MODELS').join(','),
    DEFAULT_PINNED_MODELS: settings.get('DEFAULT_PINNED_MODELS').join(','),
    MODEL_ORDER_LIST: [...settings.get('MODEL_ORDER_LIST')],
    DEFAULT_MODEL_METADATA: settings.get('DEFAULT_MODEL_METADATA'),
    DEFAULT_MODEL_PARAMS: settings.get('DEFAULT_MODEL_PARAMS'),
  })
  const evaluations = (): EvaluationsConfig => ({
    ENABLE_EVALUATION_ARENA_MODELS: settings.get('ENABLE_EVALUATION_ARENA_MODELS'),
    EVALUATION_ARENA_MODELS: settings.get('EVALUATION_ARENA_MODELS'),
  })
  const prices = (): ModelPrice[] => settings.get('MODEL_PRICES')

  return {
    config,
    updateConfig(input) {
      checkPlainJson(input, 'The setting')
      checkProfileImage(input.DEFAULT_MODEL_METADATA?.profile_image_url)
      settings.update(toSettings(input))
      return config()
    },
    evaluations,
    updateEvaluations(input) {
      checkArenas(input.EVALUATION_ARENA_MODELS ?? [])
      settings.update(toSettings(input))
      return evaluations()
    },
    prices,
    updatePrices(table) {
      settings.update({ MODEL_PRICES: JSON.stringify(table) })
      return prices()
    },
  }
}
