import { fold, stem } from './fold.ts'
import { LANGUAGES, type Language } from './languages.ts'

/** A meaning of a word. */
export interface Sense {
  readonly concept: number
  readonly topic: number
  readonly language: Language
  /** Significance of the meaning for a text's subject: 1 usually, less for ubiquitous meanings. */
  readonly weight: number
  /** Groups of meanings that occur together, such as renting, a flat and a deposit. */
  readonly groups: readonly number[]
}

/** Words of several languages by meaning. */
export interface Lexicon {
  /**
   * Returns the meanings of a folded word or of words joined by a space; by its exact form first,
   * else by its stem.
   */
  sensesOf(folded: string): readonly Sense[]
  /** Returns the meanings of a folded word of Han characters. */
  sensesOfHan(word: string): readonly Sense[]
  /** Returns true if a phrase of several words starts with this word. */
  startsPhrase(folded: string): boolean
  /** Splits a compound such as "kundigungsfrist" into two known words; null if it is none. */
  splitCompound(folded: string): readonly [string, string] | null
  readonly longestHan: number
}

const NONE: readonly Sense[] = []
const EVERYWHERE_WEIGHT = 0.45
const SHORTEST_PART = 4

function add(map: Map<string, Sense[]>, key: string, sense: Sense): void {
  const known = map.get(key)
  if (!known) map.set(key, [sense])
  else if (
    !known.some(({ concept, language }) => concept === sense.concept && language === sense.language)
  )
    known.push(sense)
}

const isHan = (word: string): boolean => /[\u3040-\u30ff\u3400-\u9fff]/u.test(word)

/** Parses the lexicon; `resources/embedding/README.md` describes its format. */
export function readLexicon(text: string): Lexicon {
  const exact = new Map<string, Sense[]>()
  const stems = new Map<string, Sense[]>()
  const han = new Map<string, Sense[]>()
  const starts = new Set<string>()
  let [topic, concept, weight, longestHan] = [0, 0, 1, 1]
  const groups = new Map<number, number[]>()
  const groupsOf = (): number[] => groups.get(concept) ?? groups.set(concept, []).get(concept)!
  const take = (word: string, language: Language): void => {
    const sense: Sense = { concept, topic, language, weight, groups: groupsOf() }
    const folded = fold(word).replaceAll(/['’-]/gu, ' ')
    if (language === 'zh' && isHan(folded)) {
      add(han, folded, sense)
      longestHan = Math.max(longestHan, folded.length)
      return
    }
    add(exact, folded, sense)
    const parts = folded.split(' ')
    if (parts.length === 1) add(stems, stem(folded), sense)
    else {
      starts.add(stem(parts[0]!))
      add(stems, parts.map(stem).join(' '), sense)
    }
  }
  const together = text.split('\n').filter((line) => line.startsWith('~'))
  for (const line of text.split('\n')) {
    if (line.startsWith('## ')) {
      topic += 1
      weight = line.endsWith('*') ? EVERYWHERE_WEIGHT : 1
    } else if (line.includes('|')) {
      concept += 1
      for (const [column, words] of line.split('|').entries())
        words.split(',').forEach((word) => take(word.trim(), LANGUAGES[column]!))
    }
  }
  for (const [group, line] of together.entries()) {
    for (const word of line.slice(1).split(',')) {
      const sense = exact
        .get(fold(word.trim()).replaceAll('-', ' '))
        ?.find(({ language }) => language === 'en')
      if (sense) groups.get(sense.concept)!.push(group)
    }
  }
  const sensesOf = (folded: string) =>
    exact.get(folded) ?? stems.get(folded.split(' ').map(stem).join(' ')) ?? NONE
  return {
    sensesOf,
    sensesOfHan: (word) => han.get(word) ?? NONE,
    startsPhrase: (folded) => starts.has(stem(folded)),
    splitCompound: (folded) => splitCompound(folded, sensesOf),
    longestHan,
  }
}

function splitCompound(
  folded: string,
  sensesOf: (word: string) => readonly Sense[],
): readonly [string, string] | null {
  const isWord = (part: string) => sensesOf(part).some(({ language }) => language === 'de')
  for (let cut = folded.length - SHORTEST_PART; cut >= SHORTEST_PART; cut -= 1) {
    const last = folded.slice(cut)
    if (!isWord(last)) continue
    const first = folded.slice(0, cut)
    const plain = [first, first.replace(/(s|n|en|es|er)$/u, ''), `${first}e`].find(
      (part) => part.length >= SHORTEST_PART && isWord(part),
    )
    if (plain) return [plain, last]
  }
  return null
}
