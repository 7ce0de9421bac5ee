const ALL = '*'
const PARTS = '.*'

/** Resources of events, in display order; the catalogue may contain others. */
export const RESOURCES = [
  'auth',
  'user',
  'group',
  'config',
  'chat',
  'message',
  'folder',
  'channel',
  'file',
  'knowledge',
  'retrieval',
  'model',
  'prompt',
  'tool',
  'function',
  'image',
  'note',
  'memory',
  'feedback',
  'pipeline',
  'system',
] as const
export type Resource = (typeof RESOURCES)[number]

export const isResource = (name: string): name is Resource =>
  (RESOURCES as readonly string[]).includes(name)

/** The events of one resource. */
export interface EventGroup {
  readonly resource: string
  readonly events: readonly string[]
}

const resourceOf = (event: string): string => event.slice(0, event.indexOf('.'))

/** Groups the catalogue by resource. */
export function groupEvents(catalogue: readonly string[]): EventGroup[] {
  const found = [...new Set(catalogue.map(resourceOf))]
  const known = RESOURCES.filter((resource) => found.includes(resource))
  return [...known, ...found.filter((resource) => !isResource(resource))].map((resource) => ({
    resource,
    events: catalogue.filter((event) => resourceOf(event) === resource),
  }))
}

export const isAll = (filters: readonly string[]): boolean => filters.includes(ALL)

/** Returns the events matched by filters. */
export const toChosen = (
  filters: readonly string[],
  catalogue: readonly string[],
): ReadonlySet<string> =>
  new Set(
    catalogue.filter((event) =>
      filters.some(
        (filter) =>
          filter === ALL ||
          filter === event ||
          (filter.endsWith(PARTS) && event.startsWith(filter.slice(0, 1 - PARTS.length))),
      ),
    ),
  )

/** Returns the minimal filters that match exactly these events. */
export const toFilters = (chosen: ReadonlySet<string>, catalogue: readonly string[]): string[] =>
  groupEvents(catalogue).flatMap(({ resource, events }) => {
    const some = events.filter((event) => chosen.has(event))
    return some.length === events.length ? [resource + PARTS] : some
  })

/** Returns the selection with some events added or removed. */
export function choose(
  chosen: ReadonlySet<string>,
  events: readonly string[],
  isWanted: boolean,
): ReadonlySet<string> {
  const next = new Set(chosen)
  for (const event of events) {
    if (isWanted) next.add(event)
    else next.delete(event)
  }
  return next
}

export const ALL_EVENTS: readonly string[] = [ALL]
