import { conflict } from './errors.ts'
import { nowSeconds } from './ids.ts'

/**
 * Throws 409 if a change is based on another version than the stored one. Clients that name no
 * version change any.
 */
export function requireKnown(storedAt: number, knownAt: number | undefined): void {
  if (knownAt !== undefined && knownAt !== storedAt)
    throw conflict(
      'This was changed meanwhile. Load it again, then make your change in the new text.',
      { code: 'changed_meanwhile' },
    )
}

/** Returns the time of the next version: two changes within a second are two versions. */
export const nextVersionAt = (before: number, now = nowSeconds()): number =>
  Math.max(now, before + 1)
