import type { FetchedLanguage } from 'virtual:languages'
import type { PseudoLanguage } from './languages.ts'

const ACCENTS: Readonly<Record<string, string>> = Object.freeze({
  a: 'á',
  b: 'ƀ',
  c: 'ç',
  d: 'ð',
  e: 'é',
  f: 'ƒ',
  g: 'ĝ',
  h: 'ĥ',
  i: 'í',
  j: 'ĵ',
  k: 'ķ',
  l: 'ļ',
  m: 'ɱ',
  n: 'ñ',
  o: 'ó',
  p: 'þ',
  q: 'ǫ',
  r: 'ŕ',
  s: 'š',
  t: 'ţ',
  u: 'ú',
  v: 'ṽ',
  w: 'ŵ',
  x: 'ẋ',
  y: 'ý',
  z: 'ž',
  A: 'Á',
  B: 'Ɓ',
  C: 'Ç',
  D: 'Ð',
  E: 'É',
  F: 'Ƒ',
  G: 'Ĝ',
  H: 'Ĥ',
  I: 'Í',
  J: 'Ĵ',
  K: 'Ķ',
  L: 'Ļ',
  M: 'Ṁ',
  N: 'Ñ',
  O: 'Ó',
  P: 'Þ',
  Q: 'Ǫ',
  R: 'Ŕ',
  S: 'Š',
  T: 'Ţ',
  U: 'Ú',
  V: 'Ṽ',
  W: 'Ŵ',
  X: 'Ẋ',
  Y: 'Ý',
  Z: 'Ž',
})

/**
 * Accents every letter of a string and makes it a third longer; placeholders in `{{}}` and tags are
 * unchanged.
 */
function toPseudoText(text: string): string {
  const accented = text.replace(
    /(\{\{.*?\}\}|<[^>]*>)|([A-Za-z])/g,
    (all, kept: string | undefined, letter: string | undefined) =>
      kept ?? ACCENTS[letter ?? ''] ?? all,
  )
  return `${accented}${'~'.repeat(Math.ceil(text.length / 3)).replace(/~{5}/g, '~~~~ ')}`
}

type Convert = (text: string) => string

function mapTexts<Tree>(tree: Tree, convert: Convert): Tree {
  if (typeof tree === 'string') return convert(tree) as Tree
  return Object.fromEntries(
    Object.entries(tree as Record<string, unknown>).map(([key, value]) => [
      key,
      mapTexts(value, convert),
    ]),
  ) as Tree
}

/** Applies the same to a whole tree of strings. */
const toPseudo = <Tree>(tree: Tree): Tree => mapTexts(tree, toPseudoText)

const MARK = '\u200F'
const ARABIC_FORMS = ['zero', 'two', 'few', 'many']

/** Adds the six plural forms of Arabic, of which English has two. */
function addForms(tree: unknown): unknown {
  if (typeof tree !== 'object' || tree === null) return tree
  return Object.fromEntries(
    Object.entries(tree).flatMap(([key, value]) => {
      const base = /^(.*)_other$/.exec(key)?.[1]
      const more = base === undefined ? [] : ARABIC_FORMS.map((form) => [`${base}_${form}`, value])
      return [...more, [key, addForms(value)]]
    }),
  )
}

/**
 * Simulates a right-to-left language with English text: each string starts and ends with a
 * right-to-left mark.
 */
const toPseudoArabic = <Tree>(tree: Tree): Tree =>
  mapTexts(addForms(tree) as Tree, (text) => `${MARK}${toPseudoText(text)}${MARK}`)

/** Generates a pseudo-language from the loaded English strings. */
export function makePseudoLanguage(
  language: PseudoLanguage,
  english: object,
  later: ReadonlyMap<string, object>,
): FetchedLanguage {
  const convert = language === 'ar-XB' ? toPseudoArabic : toPseudo
  const parts = [...later].map(([name, strings]) => [
    name,
    async () => ({ default: convert(strings) }),
  ])
  return {
    first: convert(english) as FetchedLanguage['first'],
    later: Object.fromEntries(parts) as FetchedLanguage['later'],
  }
}
