// What the texts of a language lack, have too many or say with other placeholders than English.
import { toFingerprint, type Texts, type TranslationRecord } from './texts.ts'

export interface Fault {
  readonly key: string
  readonly problem: string
}

export interface Comparison {
  /** Keys to be translated, with the English text that is meant. */
  readonly missing: ReadonlyMap<string, string>
  readonly superfluous: readonly string[]
  readonly wrong: readonly Fault[]
}

const FORM = /^(.+)_(zero|one|two|few|many|other)$/
/** Forms that may spell a number out, as in "one file". */
const SPELT_OUT = new Set(['zero', 'one', 'two'])

/** The forms of words beside numbers in a language. */
const formsOf = (language: string): readonly string[] =>
  new Intl.PluralRules(language).resolvedOptions().pluralCategories

const splitForm = (key: string, english: Texts): { base: string; form: string } | null => {
  const [, base, form] = FORM.exec(key) ?? []
  return base && form && english.has(`${base}_other`) ? { base, form } : null
}

/** Every key a language has to have, with the English text it is translated from. */
export function expectTexts(english: Texts, language: string): Map<string, string> {
  const forms = formsOf(language)
  return new Map(
    [...english].flatMap(([key, text]): [string, string][] => {
      const split = splitForm(key, english)
      if (!split || split.form === 'zero') return [[key, text]]
      if (split.form !== 'other') return []
      return forms.map((form) => {
        const own = `${split.base}_${form}`
        return [own, english.get(own) ?? text]
      })
    }),
  )
}

const PARTS = /\{\{[^{}]*\}\}|<\/?\w+\s*\/?>|\$t\([^)]*\)/g
const COUNT = /^\{\{\s*count\b/

const partsOf = (text: string): string[] =>
  (text.match(PARTS) ?? []).map((part) => part.replaceAll(/\s/g, '')).toSorted()

const isSame = (left: readonly string[], right: readonly string[]): boolean =>
  left.length === right.length && left.every((part, index) => part === right[index])

function findFault(text: string, english: string, form: string | null): string | null {
  if (text.trim() === '') return 'is empty'
  const [own, wanted] = [partsOf(text), partsOf(english)]
  const withoutCount = (parts: readonly string[]) => parts.filter((part) => !COUNT.test(part))
  const fits =
    isSame(own, wanted) ||
    (form !== null && SPELT_OUT.has(form) && isSame(withoutCount(own), withoutCount(wanted)))
  return fits ? null : `has ${own.join(' ') || 'nothing'} where English has ${wanted.join(' ')}`
}

/** Holds the texts of a language against the English ones. */
export function compareTexts(english: Texts, own: Texts, language: string): Comparison {
  const expected = expectTexts(english, language)
  const wrong = [...own].flatMap(([key, text]): Fault[] => {
    const source = expected.get(key)
    const form = splitForm(key, english)?.form ?? null
    const problem = source === undefined ? null : findFault(text, source, form)
    return problem === null ? [] : [{ key, problem }]
  })
  return {
    missing: new Map([...expected].filter(([key]) => !own.has(key))),
    superfluous: [...own.keys()].filter((key) => !expected.has(key)),
    wrong,
  }
}

/** Keys whose English text has changed since they were translated, with what it says now. */
export function findStale(
  { english, own, language }: { english: Texts; own: Texts; language: string },
  record: TranslationRecord,
): Map<string, string> {
  const changed = [...expectTexts(english, language)].filter(
    ([key, text]) => own.has(key) && record.texts[key] !== toFingerprint(text),
  )
  return new Map(changed)
}

/**
 * The record after the texts of a language, or some of them, were said to fit the English ones of
 * now. A language that was complete once stays so: a test tells what it lacks.
 */
export function toRecord(
  { english, own, language }: { english: Texts; own: Texts; language: string },
  before: TranslationRecord,
  isAccepted: (key: string) => boolean = () => true,
): TranslationRecord {
  const { missing, superfluous, wrong } = compareTexts(english, own, language)
  const texts = [...expectTexts(english, language)].flatMap(([key, text]): [string, string][] => {
    const fingerprint = isAccepted(key) ? toFingerprint(text) : before.texts[key]
    return own.has(key) && fingerprint !== undefined ? [[key, fingerprint]] : []
  })
  const isClean = missing.size + superfluous.length + wrong.length === 0
  return { complete: before.complete || isClean, texts: Object.fromEntries(texts) }
}
