/** Tools, filters, features and skills used in the answers of a chat. */
export interface ChosenTools {
  readonly toolIds: readonly string[]
  /** Filters that can be enabled for an answer. */
  readonly filterIds: readonly string[]
  /** Features of the gateway, such as `web_search`. */
  readonly featureIds: readonly string[]
  /** Skills whose whole texts the model reads. */
  readonly skillIds: readonly string[]
}

/** The feature that lets models run code. */
export const CODE = 'code_interpreter'

/** The feature that searches the web. */
export const WEB_SEARCH = 'web_search'

/** The feature that generates pictures. */
export const PICTURES = 'image_generation'

interface Presetting {
  readonly toolIds?: readonly string[]
  readonly defaultFilterIds?: readonly string[]
  readonly defaultFeatureIds?: readonly string[]
}

/** Returns a model's default tools, used until the user chooses others. */
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
 * Returns the tools chosen for a chat in this browser; null if none were chosen, so that the
 * model's defaults apply.
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
    // Storage may be unavailable or contain data of another version.
    return null
  }
}

export function keepChosenTools(chatId: string | null, chosen: ChosenTools | null): void {
  try {
    if (chosen === null) localStorage.removeItem(keyOf(chatId))
    else localStorage.setItem(keyOf(chatId), JSON.stringify(chosen))
  } catch {
    // Without storage the choice lasts until the page is closed.
  }
}

/** Returns the list with the id added or removed. */
export const withToggled = (ids: readonly string[], id: string): readonly string[] =>
  ids.includes(id) ? ids.filter((each) => each !== id) : [...ids, id]
