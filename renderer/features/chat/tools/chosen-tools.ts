/** What takes part in the answers of a chat besides the model. */
export interface ChosenTools {
  readonly toolIds: readonly string[]
  /** Filters that can be switched on for an answer. */
  readonly filterIds: readonly string[]
  /** Features of the gateway, such as `web_search`. */
  readonly featureIds: readonly string[]
  /** Skills whose whole texts the model reads. */
  readonly skillIds: readonly string[]
}

/** The feature that lets models run code. */
export const CODE = 'code_interpreter'

/** The feature that looks things up on the web. */
export const WEB_SEARCH = 'web_search'

/** The feature that makes pictures. */
export const PICTURES = 'image_generation'

interface Presetting {
  readonly toolIds?: readonly string[]
  readonly defaultFilterIds?: readonly string[]
  readonly defaultFeatureIds?: readonly string[]
}

/** What a model presets, until somebody chooses. */
export const presetOf = (model: Presetting | null): ChosenTools => ({
  toolIds: model?.toolIds ?? [],
  filterIds: model?.defaultFilterIds ?? [],
  featureIds: model?.defaultFeatureIds ?? [],
  skillIds: [],
})

const keyOf = (chatId: string | null): string => `tools:${chatId ?? 'new'}`

const toIds = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((id) => typeof id === 'string') : []

/**
 * What was chosen for a chat in this browser; null when nobody chose, so that the model's own
 * preselection holds.
 */
export function readChosenTools(chatId: string | null): ChosenTools | null {
  try {
    const kept = JSON.parse(localStorage.getItem(keyOf(chatId)) ?? 'null') as Partial<
      Record<keyof ChosenTools, unknown>
    > | null
    return kept
      ? {
          toolIds: toIds(kept.toolIds),
          filterIds: toIds(kept.filterIds),
          featureIds: toIds(kept.featureIds),
          skillIds: toIds(kept.skillIds),
        }
      : null
  } catch {
    // Storage may be closed to this page, or hold something of another version.
    return null
  }
}

export function keepChosenTools(chatId: string | null, chosen: ChosenTools | null): void {
  try {
    if (chosen === null) localStorage.removeItem(keyOf(chatId))
    else localStorage.setItem(keyOf(chatId), JSON.stringify(chosen))
  } catch {
    // Without storage the choice lasts as long as the page.
  }
}

/** The list with or without one. */
export const withToggled = (ids: readonly string[], id: string): readonly string[] =>
  ids.includes(id) ? ids.filter((each) => each !== id) : [...ids, id]
