// Finds texts of a language that are missing, superfluous or have other placeholders than English.
import { toFingerprint, type Texts, type TranslationRecord } from './texts.ts'

export interface Fault {
  readonly key: string
  readonly problem: string
}

export interface Comparison {
  /** Keys to be translated, with their English texts. */
  readonly missing: ReadonlyMap<string, string>
  readonly superfluous: readonly string[]
  readonly wrong: readonly Fault[]
}

const FORM = /^(.+)_(zero|one|two|few|many|other)$/
/** Plural forms that may spell a number out, as in "one file". */
const SPELT_OUT = new Set(['zero', 'one', 'two'])

/** Returns the plural forms of a language. */
const formsOf = (language: string): readonly string[] =>
  new Intl.PluralRules(language).resolvedOptions().pluralCategories

const splitForm = (key: string, english: Texts): { base: string; form: string } | null => {
  const [, base, form] = FORM.exec(key) ?? []
  return base && form && english.has(`${base}_other`) ? { base, form } : null
}

/** Returns every key a language must have, with the English text it is translated from. */
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

/** Compares the texts of a language with the English ones. */
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

/**
 * Returns the keys whose English text has changed since they were translated, with its current
 * text.
 */
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
 * Returns the record after some or all texts of a language were accepted as matching the current
 * English ones. A language that was complete once stays so: a test reports missing texts.
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
