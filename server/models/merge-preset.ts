import type { ModelPreset } from '../extensions/resolved-model.ts'
import { isRecord } from '../lib/is-record.ts'
import type { Fields, StoredModel } from './stored-model.ts'

/** The layers of a preset, in ascending priority. */
export interface PresetLayers {
  readonly defaults: { readonly params: Fields; readonly meta: Fields }
  /** Data stored about the base of a workspace model. */
  readonly base: StoredModel | null
  /** Data stored under the model's own id. */
  readonly row: StoredModel | null
}

const toFields = (value: unknown): Fields => (isRecord(value) ? value : {})

/** Later layers override earlier ones per field; null counts as no value. */
function merge(layers: readonly Fields[]): Record<string, unknown> {
  return Object.fromEntries(
    layers.flatMap((layer) =>
      Object.entries(layer).filter(([, value]) => value !== null && value !== undefined),
    ),
  )
}

/** Merges meta per field, and capabilities individually. */
export function mergeMeta(layers: readonly Fields[]): Record<string, unknown> {
  const capabilities = merge(layers.map((layer) => toFields(layer['capabilities'])))
  const merged = merge(layers)
  return Object.keys(capabilities).length > 0 ? { ...merged, capabilities } : merged
}

/** Merges the layers of a model; null if none of them sets anything. */
export function mergePreset({ defaults, base, row }: PresetLayers): ModelPreset | null {
  const { system, ...params } = merge([defaults.params, base?.params ?? {}, row?.params ?? {}])
  const meta = mergeMeta([defaults.meta, base?.meta ?? {}, row?.meta ?? {}])
  const hasSystem = typeof system === 'string' && system !== ''
  if (!hasSystem && Object.keys(params).length === 0 && Object.keys(meta).length === 0) return null
  return { system: hasSystem ? system : null, params, meta }
}
