import type { Model } from '#contract/models.ts'
import type { OfferedModel } from '../providers/index.ts'
import type { Fields } from '../lib/is-record.ts'

/** Settings a model applies to every conversation. */
export interface ModelPreset {
  /** Instructions placed before the conversation. */
  readonly system: string | null
  /** Parameters other than the instructions, such as `temperature`. */
  readonly params: Fields
  /** Default knowledge, tools, filters and other metadata of the model. */
  readonly meta: Fields
}

/**
 * Model a caller may use. For a workspace model `publicId` is its own id, and `model` its base
 * model.
 */
export interface ResolvedModel extends OfferedModel {
  /** Model as shown in lists. */
  readonly entry: Model
  /**
   * Presets of the model: defaults of all models, then those of its base, then its own. Null if
   * there are none.
   */
  readonly preset: ModelPreset | null
  /** Id an arena chose at random; absent if the caller named the model. */
  readonly selectedModelId?: string
}
