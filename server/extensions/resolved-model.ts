import type { Model } from '#contract/models.ts'
import type { OfferedModel } from '../providers/index.ts'

type Fields = Readonly<Record<string, unknown>>

/** What a model brings along to every conversation. */
export interface ModelPreset {
  /** Instructions in front of the conversation. */
  readonly system: string | null
  /** Parameters other than the instructions, such as `temperature`. */
  readonly params: Fields
  /** Default knowledge, tools, filters and whatever else is kept with the model. */
  readonly meta: Fields
}

/**
 * A model a caller may use. For a workspace model `publicId` is its own id, and `model` the one of
 * its base.
 */
export interface ResolvedModel extends OfferedModel {
  /** Model as lists show it. */
  readonly entry: Model
  /**
   * What the model brings along: defaults of all models, then those of its base, then its own. Null
   * when there is nothing.
   */
  readonly preset: ModelPreset | null
  /** The id an arena chose at random; absent when the caller named the model. */
  readonly selectedModelId?: string
}
