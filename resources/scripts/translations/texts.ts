// Reads the strings of a language and the record of their English sources.
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { listFiles, LOCALES, readStrings, RECORD } from '../../../renderer/vite-languages.ts'

/** Texts by `file:key`, such as `chat:composer.send`, in the order of the files. */
export type Texts = ReadonlyMap<string, string>

/** Emoji names come from a package and are not translated by hand. */
const GENERATED = 'emoji'

function* flatten(tree: object, prefix: string): Generator<[string, string]> {
  for (const [key, value] of Object.entries(tree)) {
    if (typeof value === 'string') yield [prefix + key, value]
    else yield* flatten(value as object, `${prefix}${key}.`)
  }
}

export const readTexts = (language: string): Texts =>
  new Map(
    listFiles(language)
      .filter((name) => name !== GENERATED)
      .flatMap((name) => [...flatten(readStrings(language, name), `${name}:`)]),
  )

/** Record of the English texts that a language was translated from. */
export interface TranslationRecord {
  /** Set once nothing was missing; from then on users can select the language. */
  readonly complete: boolean
  /** A short fingerprint of the English text of each key. */
  readonly texts: Readonly<Record<string, string>>
}

const recordOf = (language: string): string => path.join(LOCALES, language, RECORD)

export function readRecord(language: string): TranslationRecord {
  const file = recordOf(language)
  return existsSync(file)
    ? (JSON.parse(readFileSync(file, 'utf8')) as TranslationRecord)
    : { complete: false, texts: {} }
}

export const writeRecord = (language: string, record: TranslationRecord): void =>
  writeFileSync(recordOf(language), `${JSON.stringify(record, null, 2)}\n`)

export const toFingerprint = (text: string): string =>
  createHash('sha256').update(text).digest('hex').slice(0, 8)
