import type { DocumentPlace } from '../../../ui/document-viewer/document-place.ts'
import { type LocatedClaim, locateClaim } from '../../../ui/sources/locate-claim.ts'
import type { ReadPassage } from '../../../ui/sources/read-sources.ts'

/** The part of a source cited by an answer. */
export interface Cited {
  /** Index of the passage. */
  readonly passage: number
  /** Highlighted range; null if the cited part is unknown. */
  readonly place: DocumentPlace | null
}

/** Maximum length of a highlighted passage: a longer one would highlight whole pages. */
const LONGEST_MARK = 3000

const locateFirst = (texts: readonly string[], claims: readonly string[]): LocatedClaim | null => {
  for (const claim of claims) {
    const found = locateClaim(texts, claim)
    if (found) return found
  }
  return null
}

/**
 * Returns a part of a passage as a separate place. A passage may begin with text from another
 * place.
 */
function toPart(passage: ReadPassage, { start, end }: LocatedClaim): DocumentPlace {
  const { text, page } = passage
  const lead =
    passage.start === null || passage.end === null
      ? null
      : text.length - (passage.end - passage.start)
  const isInside = lead !== null && lead >= 0 && start >= lead
  return {
    text: text.slice(start, end),
    page,
    start: isInside ? passage.start! + start - lead : null,
    end: isInside ? passage.start! + end - lead : null,
  }
}

/**
 * Finds the sentence of a source that an answer refers to, by the answer's claim or else by the
 * question. `chosen` is the passage the user navigated to; null for the best one.
 */
export function findCited(
  passages: readonly ReadPassage[],
  chosen: number | null,
  claims: readonly string[],
): Cited {
  const texts = passages.map(({ text }, index) => (chosen === null || index === chosen ? text : ''))
  const found = locateFirst(texts, claims)
  const passage = found?.text ?? chosen ?? 0
  const whole = passages[passage]
  if (!whole) return { passage, place: null }
  if (found) return { passage, place: toPart(whole, found) }
  return { passage, place: whole.text.length > LONGEST_MARK ? null : whole }
}
