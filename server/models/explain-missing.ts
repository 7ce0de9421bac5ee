import { distance } from 'fastest-levenshtein'
import { NO_MODEL } from './model-access.ts'

const LONGEST_SHOWN = 100
const MOST_OFFERED = 3
/** Maximum share of differing characters for two ids to be considered similar. */
const MOST_DIFFERENT = 0.5

const shorten = (text: string): string =>
  text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}…` : text

/**
 * Returns the difference between an id and the requested one; lower if it contains the whole
 * requested id, as with a vendor prefix or a date suffix.
 */
function differenceOf(id: string, meant: string): number {
  const [one, other] = [id.toLowerCase(), meant.toLowerCase()]
  const length = Math.max(one.length, other.length)
  const isPart = other.length >= 3 && (one.includes(other) || other.includes(one))
  return (distance(one, other) / length) * (isPart ? MOST_DIFFERENT : 1)
}

/**
 * Returns the error message for a model that is unknown or forbidden: the id as received, and the
 * most similar ones the caller may use.
 */
export function explainMissing(id: string, usable: readonly string[]): string {
  const meant = shorten(id)
  const near = usable
    .map((each) => ({ each, difference: differenceOf(shorten(each), meant) }))
    .filter(({ difference }) => difference <= MOST_DIFFERENT)
    .toSorted((one, other) => one.difference - other.difference)
    .slice(0, MOST_OFFERED)
  const offer =
    near.length > 0 ? ` You may use ${near.map(({ each }) => `"${each}"`).join(', ')}.` : ''
  return `${NO_MODEL}: "${meant}".${offer}`
}
