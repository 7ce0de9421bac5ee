import type { ModelPreset } from '../extensions/resolved-model.ts'
import { isRecord } from '../lib/is-record.ts'
import type { Fields, StoredModel } from './stored-model.ts'

/** The layers a preset is made of, the weakest first. */
export interface PresetLayers {
  readonly defaults: { readonly params: Fields; readonly meta: Fields }
  /** Stored about the base of a workspace model. */
  readonly base: StoredModel | null
  /** Stored under the model's own id. */
  readonly row: StoredModel | null
}

const toFields = (value: unknown): Fields => (isRecord(value) ? value : {})

/** Later layers win, field by field; a null is no value. */
function merge(layers: readonly Fields[]): Record<string, unknown> {
  return Object.fromEntries(
    layers.flatMap((layer) =>
      Object.entries(layer).filter(([, value]) => value !== null && value !== undefined),
    ),
  )
}

/** Meta merges field by field, capabilities one by one. */
export function mergeMeta(layers: readonly Fields[]): Record<string, unknown> {
  const capabilities = merge(layers.map((layer) => toFields(layer['capabilities'])))
  const merged = merge(layers)
  return Object.keys(capabilities).length > 0 ? { ...merged, capabilities } : merged
}

/** Joins the layers of a model; null when none of them says anything. */
export function mergePreset({ defaults, base, row }: PresetLayers): ModelPreset | null {
  const { system, ...params } = merge([defaults.params, base?.params ?? {}, row?.params ?? {}])
  const meta = mergeMeta([defaults.meta, base?.meta ?? {}, row?.meta ?? {}])
  const hasSystem = typeof system === 'string' && system !== ''
  if (!hasSystem && Object.keys(params).length === 0 && Object.keys(meta).length === 0) return null
  return { system: hasSystem ? system : null, params, meta }
}
