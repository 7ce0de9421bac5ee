import type { Model, ModelRow } from '#contract/models.ts'
import { hasWords } from '../../lib/has-words.ts'
import type { Unshared } from '../../ui/lists/access-mark.tsx'
import type { CatalogueState } from './catalogue-store.ts'
import { nameGuide } from './name-guide.ts'

/** One row of the models page. */
export interface ModelEntry {
  readonly id: string
  readonly name: string
  readonly description: string
  readonly tags: readonly string[]
  readonly isActive: boolean
  readonly mayChange: boolean
  /** Who may use it while it is shared with nobody. */
  readonly unshared: Unshared
  /** Stored row of the model. */
  readonly row: ModelRow | null
  /** The connection's model that answers; null while it is unavailable. */
  readonly base: Model | null
}

const tagsOf = (row: ModelRow | null): readonly string[] =>
  (row?.meta.tags ?? []).map(({ name }) => name)

/** Returns the entries of models created here. */
export const toOwnEntries = (
  rows: readonly ModelRow[],
  known: readonly Model[],
): readonly ModelEntry[] =>
  rows.map((row) => ({
    id: row.id,
    name: row.name,
    description: row.meta.description ?? '',
    tags: tagsOf(row),
    isActive: row.is_active && row.meta.hidden !== true,
    mayChange: row.write_access,
    unshared: 'private',
    row,
    base: known.find(({ id }) => id === row.base_model_id) ?? null,
  }))

/** Returns the models of connections with their local changes, in the gateway's order. */
export function toBaseEntries({ bases, overrides, config }: CatalogueState): readonly ModelEntry[] {
  const order = config?.MODEL_ORDER_LIST ?? []
  const placeOf = (id: string): number => (order.includes(id) ? order.indexOf(id) : order.length)
  return nameGuide(bases)
    .map((base): ModelEntry => {
      const row = overrides.find(({ id }) => id === base.id) ?? null
      return {
        id: base.id,
        name: row?.name ?? base.name,
        description: row?.meta.description ?? base.info.meta.description ?? '',
        tags: tagsOf(row),
        isActive: row === null || (row.is_active && row.meta.hidden !== true),
        mayChange: true,
        unshared: base.for_everybody ? 'everybody' : 'administrators',
        row,
        base,
      }
    })
    .toSorted((left, right) => placeOf(left.id) - placeOf(right.id))
}

/**
 * Returns entries whose name, id, description or tags contain every search term, and that have the
 * tag if one is given.
 */
export function filterEntries(
  entries: readonly ModelEntry[],
  query: string,
  tag: string | null,
): readonly ModelEntry[] {
  return entries.filter(
    ({ id, name, description, tags, base }) =>
      (tag === null || tags.includes(tag)) &&
      hasWords(
        `${name} ${id} ${description} ${tags.join(' ')} ${base?.connection_name ?? ''}`,
        query,
      ),
  )
}

/** Returns the tags of all entries in alphabetical order. */
export const tagsOfEntries = (entries: readonly ModelEntry[]): readonly string[] =>
  [...new Set(entries.flatMap(({ tags }) => tags))].toSorted((left, right) =>
    left.localeCompare(right),
  )
