import { badRequest } from '../errors.ts'
import { runAtOnce } from '../turns.ts'

const LARGEST_DEPTH = 100
const VALUES_IN_A_STEP = 1000

/**
 * Throws for JSON values that cannot be stored or sent back: deep nesting and numbers that are not
 * finite. Runs in short steps.
 */
export function* checkPlainJsonInSteps(
  value: unknown,
  subject = 'The chat',
): Generator<void, void> {
  let level: unknown[] = [[value]]
  let seen = 0
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > LARGEST_DEPTH + 1)
      throw badRequest(
        `${subject} is nested more than ${LARGEST_DEPTH} levels deep, which is a fixed limit.`,
      )
    const next: unknown[] = []
    for (const item of level) {
      for (const child of Array.isArray(item) ? item : Object.values(item as object)) {
        if ((seen += 1) % VALUES_IN_A_STEP === 0) yield
        if (typeof child === 'object' && child !== null) next.push(child)
        else if (typeof child === 'number' && !Number.isFinite(child))
          throw badRequest(`${subject} contains a number that is too large.`)
      }
    }
    level = next
  }
}

/** Same as `checkPlainJsonInSteps`, at once, for small values. */
export const checkPlainJson = (value: unknown, subject?: string): void =>
  runAtOnce(checkPlainJsonInSteps(value, subject))
