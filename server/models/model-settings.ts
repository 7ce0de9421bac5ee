import type { EvaluationsConfig, EvaluationsConfigInput } from '#contract/evaluations.ts'
import type { ModelsConfig, ModelsConfigInput } from '#contract/model-defaults.ts'
import { findPrice } from '#contract/find-price.ts'
import type { ModelPrice } from '#contract/model-prices.ts'
import type { SettingValue } from '#contract/settings.ts'
import { checkPlainJson } from '../lib/json/check-plain-json.ts'
import { badRequest } from '../lib/errors.ts'
import type { ModelsSettings } from './models-settings.ts'
import { checkProfileImage } from './profile-image.ts'

/**
 * Settings read by `describe-model` and `merge-preset`; cached results are invalid when they
 * change.
 */
export const MODEL_DEFAULTS: ReadonlySet<string> = new Set([
  'DEFAULT_MODEL_METADATA',
  'DEFAULT_MODEL_PARAMS',
])

const JSON_SETTINGS: ReadonlySet<string> = new Set([...MODEL_DEFAULTS, 'EVALUATION_ARENA_MODELS'])

/** Absent stays absent, null restores the default, JSON is sent as its text. */
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

/** Settings about models in the format of their own endpoints. */
export class ModelSettings {
  readonly #settings: ModelsSettings

  constructor(settings: ModelsSettings) {
    this.#settings = settings
  }

  config(): ModelsConfig {
    return {
      DEFAULT_MODELS: this.#settings.get('DEFAULT_MODELS').join(','),
      DEFAULT_PINNED_MODELS: this.#settings.get('DEFAULT_PINNED_MODELS').join(','),
      MODEL_ORDER_LIST: [...this.#settings.get('MODEL_ORDER_LIST')],
      DEFAULT_MODEL_METADATA: this.#settings.get('DEFAULT_MODEL_METADATA'),
      DEFAULT_MODEL_PARAMS: this.#settings.get('DEFAULT_MODEL_PARAMS'),
    }
  }

  /** Returns the defaults, without models the caller may not name. */
  defaults(mayName: (id: string) => boolean) {
    const named = (key: 'DEFAULT_MODELS' | 'DEFAULT_PINNED_MODELS'): string =>
      this.#settings.get(key).filter(mayName).join(',')
    return {
      DEFAULT_MODELS: named('DEFAULT_MODELS'),
      DEFAULT_PINNED_MODELS: named('DEFAULT_PINNED_MODELS'),
      DEFAULT_MODEL_METADATA: this.#settings.get('DEFAULT_MODEL_METADATA'),
    }
  }

  async updateConfig(input: ModelsConfigInput): Promise<ModelsConfig> {
    checkPlainJson(input, 'The setting')
    checkProfileImage(input.DEFAULT_MODEL_METADATA?.profile_image_url)
    await this.#settings.update(toSettings(input))
    return this.config()
  }

  evaluations(): EvaluationsConfig {
    return {
      ENABLE_EVALUATION_ARENA_MODELS: this.#settings.get('ENABLE_EVALUATION_ARENA_MODELS'),
      EVALUATION_ARENA_MODELS: this.#settings.get('EVALUATION_ARENA_MODELS'),
    }
  }

  async updateEvaluations(input: EvaluationsConfigInput): Promise<EvaluationsConfig> {
    checkArenas(input.EVALUATION_ARENA_MODELS ?? [])
    await this.#settings.update(toSettings(input))
    return this.evaluations()
  }

  /** Returns the price table; for a guest only the rows of models lent to them. */
  prices(lent: ReadonlySet<string> | null = null): ModelPrice[] {
    const table = this.#settings.get('MODEL_PRICES')
    if (lent === null) return table
    const used = new Set([...lent].map((id) => findPrice(table, id)))
    return table.filter((price) => used.has(price))
  }

  async updatePrices(table: readonly ModelPrice[]): Promise<ModelPrice[]> {
    await this.#settings.update({ MODEL_PRICES: JSON.stringify(table) })
    return this.prices()
  }
}
