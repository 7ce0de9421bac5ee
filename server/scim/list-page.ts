import { SCIM_SCHEMAS } from '#contract/scim.ts'
import { eachInSteps, runInTurns } from '../lib/turns.ts'
import { fits, type Filter } from './filter.ts'
import { select, type Resource } from './to-resource.ts'

export const MOST_RESULTS = 200
const USUAL_RESULTS = 100

/** What a list is asked for. */
export interface ListQuery {
  readonly startIndex?: string | undefined
  readonly count?: string | undefined
  readonly filter?: string | undefined
  readonly attributes?: string | undefined
  readonly excludedAttributes?: string | undefined
}

/** Numbers out of range mean the nearest one in it (RFC 7644, 3.4.2.4). */
function readPlace({ startIndex, count }: ListQuery): { first: number; size: number } {
  return {
    first: Math.max(1, Number(startIndex ?? 1)) - 1,
    size: Math.min(MOST_RESULTS, Math.max(0, Number(count ?? USUAL_RESULTS))),
  }
}

/** One page of what fits a filter. Only what is shown becomes a resource where nothing has to be compared. */
export async function listPage<Thing>(
  things: readonly Thing[],
  options: { readonly query: ListQuery; readonly filter: Filter | null; readonly toResource: (thing: Thing) => Resource },
): Promise<Resource> {
  const { query, filter, toResource } = options
  const { first, size } = readPlace(query)
  const fitting: Resource[] = []
  let total = things.length
  if (filter) {
    total = 0
    const test = (thing: Thing): void => {
      const resource = toResource(thing)
      if (!fits(resource, filter)) return
      if (total >= first && fitting.length < size) fitting.push(resource)
      total += 1
    }
    await runInTurns(eachInSteps(things, test, { valuesInAStep: 10 }))
  } else {
    await runInTurns(eachInSteps(things.slice(first, first + size), (thing) => void fitting.push(toResource(thing)), { valuesInAStep: 10 }))
  }
  return {
    schemas: [SCIM_SCHEMAS.list],
    totalResults: total,
    startIndex: first + 1,
    itemsPerPage: fitting.length,
    Resources: fitting.map((resource) => select(resource, query)),
  }
}
