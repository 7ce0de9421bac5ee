import { badRequest } from './errors.ts'
import { eachInSteps, runAtOnce } from './turns.ts'

const LARGEST_DEPTH = 100

/** Refuses what JSON can say but nobody can store or send back: deep nesting and numbers that are not finite. In short steps. */
export function* checkPlainJsonInSteps(value: unknown, subject = 'The chat'): Generator<void, void> {
  let level: unknown[] = [value]
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > LARGEST_DEPTH) throw badRequest(`${subject} is nested more than ${LARGEST_DEPTH} levels deep, which is a fixed limit.`)
    const next: unknown[] = []
    for (const item of level) {
      if (typeof item === 'number' && !Number.isFinite(item)) throw badRequest(`${subject} contains a number that is too large.`)
      yield* findChildren(item, next)
    }
    level = next
  }
}

function* findChildren(item: unknown, found: unknown[]): Generator<void, void> {
  if (typeof item !== 'object' || item === null) return yield
  const children = item as Record<string, unknown>
  yield* eachInSteps(Object.keys(children), (name) => {
    const child = children[name]
    if (typeof child === 'object' || typeof child === 'number') found.push(child)
  })
  yield
}

/** The same without a pause, for values that are small. */
export const checkPlainJson = (value: unknown, subject?: string): void => runAtOnce(checkPlainJsonInSteps(value, subject))
