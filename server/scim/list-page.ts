import { SCIM_SCHEMAS } from '#contract/scim.ts'
import { runInTurns } from '../lib/turns.ts'
import { fits, type Filter } from './filter.ts'
import { select, type Resource } from './to-resource.ts'

export const MOST_RESULTS = 200
const USUAL_RESULTS = 100
/** Number of entries a filter is applied to before other calls may run. */
const ENTRIES_IN_A_STEP = 50

/** Query parameters of a list. */
export interface ListQuery {
  readonly startIndex?: string
  readonly count?: string
  readonly filter?: string
  readonly attributes?: string
  readonly excludedAttributes?: string
}

/** A source of entries that are read in parts, because there may be very many. */
export interface Source<Thing> {
  total(): Promise<number>
  read(offset: number, limit: number): Promise<readonly Thing[]>
  /** Yields every entry that exists all the time, whatever is created or deleted meanwhile. */
  slices(): AsyncIterable<readonly Thing[]> | Iterable<readonly Thing[]>
}

export const fromArray = <Thing>(things: readonly Thing[]): Source<Thing> => ({
  total: async () => things.length,
  read: async (offset, limit) => things.slice(offset, offset + limit),
  slices: () => [things],
})

/** Numbers out of range are clamped (RFC 7644, 3.4.2.4). */
function readPlace({ startIndex, count }: ListQuery): { first: number; size: number } {
  return {
    first: Math.max(1, Number(startIndex ?? 1)) - 1,
    size: Math.min(MOST_RESULTS, Math.max(0, Number(count ?? USUAL_RESULTS))),
  }
}

/**
 * Applies a filter to all entries. They are not read by offset: a deletion would move a later entry
 * to a place already read.
 */
async function* findFitting<Thing>(
  source: Source<Thing>,
  fitsFilter: (thing: Thing) => Promise<boolean>,
  place: { first: number; size: number },
): AsyncGenerator<void, { found: Thing[]; total: number }> {
  const found: Thing[] = []
  let [seen, total] = [0, 0]
  for await (const things of source.slices()) {
    for (const thing of things) {
      if (await fitsFilter(thing)) {
        if (total >= place.first && found.length < place.size) found.push(thing)
        total += 1
      }
      if ((seen += 1) % ENTRIES_IN_A_STEP === 0) yield
    }
  }
  return { found, total }
}

/**
 * Returns one page of the matches of a filter. Only the displayed entries are converted to full
 * resources.
 */
export async function listPage<Thing>(
  source: Source<Thing>,
  options: {
    readonly query: ListQuery
    readonly filter: Filter | null
    /** Returns the resource to which a filter is applied. */
    readonly toComparable: (thing: Thing) => Promise<Resource>
    readonly toResource: (thing: Thing) => Resource | Promise<Resource>
  },
): Promise<Resource> {
  const { query, filter, toComparable, toResource } = options
  const place = readPlace(query)
  const { found, total } = filter
    ? await runInTurns(
        findFitting(source, async (thing) => fits(await toComparable(thing), filter), place),
      )
    : { found: await source.read(place.first, place.size), total: await source.total() }
  const resources: Resource[] = []
  for (const thing of found) resources.push(select(await toResource(thing), query))
  return {
    schemas: [SCIM_SCHEMAS.list],
    totalResults: total,
    startIndex: place.first + 1,
    itemsPerPage: resources.length,
    Resources: resources,
  }
}
