import { badRequest } from '../../lib/errors.ts'
import { eachAwaitedInSteps, eachInSteps } from '../../lib/turns.ts'
import { parentSoFar, type Resolution } from './link-resolution.ts'

const SHOWN_IN_ERROR = 10
const PATH_STEP = 50

/**
 * Walks from every changed link towards the root. Stored messages are known to be acyclic if none
 * of them moved, so an append never climbs a long chat. In short steps.
 */
export async function* breakCircles(resolution: Resolution): AsyncGenerator<void, void> {
  const { parents, stored } = resolution
  let hasMove = false
  yield* eachAwaitedInSteps(parents.keys(), async (id) => {
    hasMove ||= (await stored.parentOf(id)) !== undefined
  })
  const safe = new Set<string>()
  const isSafe = (id: string): boolean => safe.has(id) || (!hasMove && !parents.has(id))

  for (const start of parents.keys()) {
    let path = new Set<string>()
    let place: string | null = start
    while (place !== null && !isSafe(place)) {
      if (path.has(place)) {
        await dropConcludedLink(resolution, circleFrom(path, place))
        path = new Set()
        place = start
      } else {
        path.add(place)
        place = await parentSoFar(resolution, place)
      }
      if (path.size % PATH_STEP === 0) yield
    }
    yield* eachInSteps(path, (id) => safe.add(id))
    yield
  }
}

function circleFrom(path: ReadonlySet<string>, start: string): string[] {
  const places = [...path]
  return places.slice(places.indexOf(start))
}

async function dropConcludedLink(
  { parents, stored, concluded, repairs }: Resolution,
  circle: readonly string[],
): Promise<void> {
  const weak = circle.find((id) => concluded.has(id))
  if (weak === undefined) {
    const names = circle.slice(0, SHOWN_IN_ERROR).map((id) => JSON.stringify(id))
    throw badRequest(`These messages follow each other in a circle: ${names.join(', ')}.`)
  }
  concluded.delete(weak)
  parents.set(weak, (await stored.parentOf(weak)) ?? null)
  repairs.push(
    `The message ${JSON.stringify(weak)} would have closed a circle; it stands without that link.`,
  )
}
