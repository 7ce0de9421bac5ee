import { badRequest } from './errors.ts'

const LARGEST_DEPTH = 100

/** Refuses what JSON can say but nobody can store or send back: deep nesting and numbers that are not finite. */
export function checkPlainJson(value: unknown, subject = 'The chat'): void {
  let level: unknown[] = [value]
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > LARGEST_DEPTH) throw badRequest(`${subject} is nested more than ${LARGEST_DEPTH} levels deep.`)
    const next: unknown[] = []
    for (const item of level) {
      if (typeof item === 'number' && !Number.isFinite(item)) throw badRequest(`${subject} contains a number that is too large.`)
      if (typeof item !== 'object' || item === null) continue
      for (const child of Object.values(item)) if (typeof child === 'object' || typeof child === 'number') next.push(child)
    }
    level = next
  }
}
