import { fold, latinise, stem } from './fold.ts'
import { guessLanguage, isFunctionWord, isGrammarCharacter, type Language } from './languages.ts'
import type { Lexicon, Sense } from './lexicon.ts'

/**
 * Features of a text, as named items with a weight each. Names begin with their kind: `w` word, `g`
 * letters, `c` meaning, `t` topic, `n` number.
 */
export type Features = Map<string, number>

/** Weight of each kind of feature; determined by the evaluation in `bench/retrieval`. */
export const WEIGHTS = {
  unknownWord: 0.6,
  knownWord: 0.2,
  letters: 0.4,
  meaning: 0.6,
  topic: 0.25,
  group: 0.55,
  number: 0.9,
  joined: 0.5,
  functionWord: 0.03,
  hanCharacter: 0.4,
  hanPair: 0.35,
  /** A meaning the word has only in a language other than the text's. */
  foreignMeaning: 0.45,
} as const

const LONGEST_PHRASE = 4
const GRAM = 3
const COMPOUND_LENGTH = 9
/** Longer ones are data rather than words; they are represented by their beginning. */
const LONGEST_WORD = 40
const TOKEN = /\p{N}+(?:[.,:]\p{N}+)*|[\p{L}\p{M}]+/gu
const HAN = /[\u3040-\u30ff\u3400-\u9fff々]+/gu
const JOINED = /(?<![\p{L}\p{N}])[\p{L}\p{N}]+(?:[-_./][\p{L}\p{N}]+)+/gu

interface Reading {
  readonly lexicon: Lexicon
  readonly language: Language | null
  readonly features: Features
}

function add(features: Features, name: string, weight: number): void {
  features.set(name, (features.get(name) ?? 0) + weight)
}

/** Adds meanings in the text's language, or in others if there are none in it. */
function addSenses(
  { features, language }: Reading,
  senses: readonly Sense[],
  factor: number,
): void {
  const own = language ? senses.filter((sense) => sense.language === language) : senses
  const chosen = own.length > 0 ? own : senses
  const share =
    (own.length > 0 ? factor : factor * WEIGHTS.foreignMeaning) /
    Math.sqrt(new Set(chosen.map(({ concept }) => concept)).size)
  for (const [index, { concept, topic, weight, groups }] of chosen.entries()) {
    if (chosen.findIndex((other) => other.concept === concept) !== index) continue
    add(features, `c${concept}`, WEIGHTS.meaning * weight * share)
    add(features, `t${topic}`, WEIGHTS.topic * weight * share)
    for (const group of groups)
      add(features, `a${group}`, (WEIGHTS.group * share) / Math.sqrt(groups.length))
  }
}

function addLetters(features: Features, word: string, weight: number): void {
  const marked = `^${word}$`
  if (marked.length <= GRAM) return
  const grams = marked.length - GRAM + 1
  for (let start = 0; start < grams; start += 1)
    add(features, `g${marked.slice(start, start + GRAM)}`, weight / Math.sqrt(grams))
}

function addWord(reading: Reading, word: string): void {
  const { features, lexicon, language } = reading
  if (isFunctionWord(word, language)) return add(features, `w${word}`, WEIGHTS.functionWord)
  const base = latinise(stem(word))
  const senses = lexicon.sensesOf(word)
  const parts =
    senses.length === 0 && word.length >= COMPOUND_LENGTH && language !== 'ru'
      ? lexicon.splitCompound(word)
      : null
  const importance = senses.length > 0 ? Math.max(...senses.map(({ weight }) => weight)) : 1
  addSenses(reading, senses, 1)
  for (const part of parts ?? []) addSenses(reading, lexicon.sensesOf(part), 0.75)
  if (senses.length > 0 || parts) {
    add(features, `w${base}`, WEIGHTS.knownWord * importance)
    return addLetters(features, base, WEIGHTS.letters * importance * 0.5)
  }
  // A transliterated name has its own endings, so both readings count.
  const name = stem(latinise(word))
  for (const form of new Set([base, name]))
    add(
      features,
      `w${form}`,
      base === name ? WEIGHTS.unknownWord : WEIGHTS.unknownWord * Math.SQRT1_2,
    )
  addLetters(features, name, WEIGHTS.letters)
}

/** Matches the longest known words first; unknown text counts by its pairs of characters. */
function addHan(reading: Reading, run: string): void {
  const { features, lexicon } = reading
  for (let place = 0; place < run.length;) {
    let length = Math.min(lexicon.longestHan, run.length - place)
    while (length > 0 && lexicon.sensesOfHan(run.slice(place, place + length)).length === 0)
      length -= 1
    if (length > 0)
      addSenses(
        { ...reading, language: 'zh' },
        lexicon.sensesOfHan(run.slice(place, place + length)),
        1,
      )
    place += Math.max(1, length)
  }
  for (let place = 0; place < run.length; place += 1) {
    const character = run[place]!
    if (isGrammarCharacter(character)) continue
    add(features, `h${character}`, WEIGHTS.hanCharacter)
    const next = run[place + 1]
    if (next && !isGrammarCharacter(next)) add(features, `h${character}${next}`, WEIGHTS.hanPair)
  }
}

/** Returns the length of the longest known phrase from here, in words; 1 if there is none. */
function phraseLength(lexicon: Lexicon, words: readonly string[], start: number): number {
  if (!lexicon.startsPhrase(words[start]!)) return 1
  for (let length = Math.min(LONGEST_PHRASE, words.length - start); length > 1; length -= 1)
    if (lexicon.sensesOf(words.slice(start, start + length).join(' ')).length > 0) return length
  return 1
}

function addWords(reading: Reading, words: readonly string[]): void {
  for (let start = 0; start < words.length;) {
    const word = words[start]!
    if (/^\p{N}/u.test(word)) {
      const digits = word.replaceAll(/[.,:]/gu, '')
      add(reading.features, `n${digits}`, digits.length === 1 ? 0.5 : WEIGHTS.number)
      start += 1
      continue
    }
    const length = phraseLength(reading.lexicon, words, start)
    if (length > 1)
      addSenses(
        reading,
        reading.lexicon.sensesOf(words.slice(start, start + length).join(' ')),
        1.2,
      )
    // The parts of a phrase count as words, but their separate meanings would be misleading.
    for (const part of words.slice(start, start + length)) {
      if (length === 1) addWord(reading, part)
      else if (!isFunctionWord(part, reading.language))
        add(reading.features, `w${latinise(stem(part))}`, WEIGHTS.knownWord)
    }
    start += length
  }
}

/** Extracts the features of a text; deterministic. */
export function readFeatures(text: string, lexicon: Lexicon): Features {
  const features: Features = new Map()
  // Identifiers in code are joined words: "maximumRetryCount".
  const folded = fold(text.replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2'))
  const words = (folded.replaceAll(HAN, ' ').match(TOKEN) ?? []).map((word) =>
    word.slice(0, LONGEST_WORD),
  )
  const reading: Reading = { lexicon, language: guessLanguage(words, folded), features }
  addWords(reading, words)
  for (const [run] of folded.matchAll(HAN)) addHan(reading, run)
  for (const [joined] of folded.matchAll(JOINED)) {
    if (/\p{N}/u.test(joined))
      add(features, `n${joined.replaceAll(/[-_./]/gu, '')}`, WEIGHTS.joined)
  }
  return features
}
