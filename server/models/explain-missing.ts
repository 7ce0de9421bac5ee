import { distance } from 'fastest-levenshtein'
import { NO_MODEL } from './model-access.ts'

const LONGEST_SHOWN = 100
const MOST_OFFERED = 3
/** Ids that differ in more than this share of their letters are other ones. */
const MOST_DIFFERENT = 0.5

const shorten = (text: string): string =>
  text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}…` : text

/**
 * How much an id differs from the one that was meant; less when it holds it whole, as with a vendor
 * in front or a date behind.
 */
function differenceOf(id: string, meant: string): number {
  const [one, other] = [id.toLowerCase(), meant.toLowerCase()]
  const length = Math.max(one.length, other.length)
  const isPart = other.length >= 3 && (one.includes(other) || other.includes(one))
  return (distance(one, other) / length) * (isPart ? MOST_DIFFERENT : 1)
}

/**
 * The sentence for a model that is unknown or not for the caller: the id as it came, and the
 * nearest of those the caller may use.
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
