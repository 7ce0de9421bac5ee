import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { Plugin } from 'vite'

export const LOCALES = path.join(import.meta.dirname, 'locales')
/** File of a language with the English strings it was translated from. */
export const RECORD = 'translated-from.json'

/** Long lists that are loaded with the part of the interface that shows them. */
const LATER = new Set(['emoji', 'setting-help', 'setting-names'])
/** Strings of the desktop app, which the page does not show. */
const DESKTOP = 'desktop'
/** Messages of the gateway; in English they are part of its replies and events. */
const ERRORS = 'errors'

/** Returns all languages with translations, complete or not, except English. */
export const listLanguages = (): string[] =>
  readdirSync(LOCALES, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== 'en')
    .map(({ name }) => name)
    .toSorted()

/** Returns the names of the string files of a language, without the extension. */
export const listFiles = (language: string): string[] =>
  readdirSync(path.join(LOCALES, language))
    .filter((name) => name.endsWith('.json') && name !== RECORD)
    .map((name) => path.basename(name, '.json'))
    .toSorted()

const fileOf = (language: string, name: string): string =>
  path.join(LOCALES, language, `${name}.json`)

export const readStrings = (language: string, name: string): object =>
  JSON.parse(readFileSync(fileOf(language, name), 'utf8')) as object

/** Returns the languages users can choose; a test verifies that they are complete. */
export const listFinishedLanguages = (): string[] =>
  listLanguages().filter((language) => {
    const record = path.join(LOCALES, language, RECORD)
    if (!existsSync(record)) return false
    const { complete } = JSON.parse(readFileSync(record, 'utf8')) as { complete?: unknown }
    return complete === true
  })

/** Returns the name of a file's strings in code: `toolServers` for `tool-servers`. */
export const toNamespace = (name: string): string =>
  name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())

/** Licence of the emoji names. */
const EMOJI_LICENCE = 'LICENSE_emoji-names.txt'

const LIST = 'virtual:languages'
const ONE = 'virtual:language/'
const DESKTOP_STRINGS = 'virtual:desktop-strings'

const writeList = (): string => {
  const rows = listFinishedLanguages().map(
    (language) => `${JSON.stringify(language)}:()=>import(${JSON.stringify(ONE + language)})`,
  )
  return `export const languages={${rows.join(',')}}`
}

/**
 * Returns the messages of the gateway: errors by their code, and others by their English text. Steps
 * of an answer are apart, because the words of some are too general to be looked up in errors.
 */
function writeErrors(language: string): object {
  const read = (from: string) =>
    readStrings(from, ERRORS) as Record<'codes' | 'sentences' | 'statuses', Record<string, string>>
  const [english, own] = [read('en'), read(language)]
  const byEnglish = (group: 'sentences' | 'statuses') =>
    Object.fromEntries(
      Object.entries(english[group]).map(([key, text]) => [text, own[group][key] ?? text]),
    )
  return {
    codes: own.codes,
    sentences: byEnglish('sentences'),
    statuses: byEnglish('statuses'),
  }
}

/** Writes one script with the strings of all pages, and imports for those that are loaded later. */
function writeLanguage(language: string): string {
  const names = listFiles(language)
  const first = Object.fromEntries(
    names
      .filter((name) => !LATER.has(name) && name !== DESKTOP)
      .map((name) => [
        toNamespace(name),
        name === ERRORS ? writeErrors(language) : readStrings(language, name),
      ]),
  )
  const later = names
    .filter((name) => LATER.has(name))
    .map((name) => `${toNamespace(name)}:()=>import(${JSON.stringify(fileOf(language, name))})`)
  return [
    `export const first=JSON.parse(${JSON.stringify(JSON.stringify(first))})`,
    `export const later={${later.join(',')}}`,
  ].join('\n')
}

const writeDesktopStrings = (): string => {
  const strings = Object.fromEntries(
    ['en', ...listFinishedLanguages()].map((language) => [
      language,
      { desktop: readStrings(language, DESKTOP), commands: readStrings(language, 'commands') },
    ]),
  )
  return `export const strings=JSON.parse(${JSON.stringify(JSON.stringify(strings))})`
}

const isVirtual = (id: string): boolean =>
  id === LIST || id === DESKTOP_STRINGS || id.startsWith(ONE)

/**
 * Provides the folders in `locales/` as modules: a list of the languages with a function that loads
 * each, and the strings of the desktop app in all languages. Neither the interface nor the desktop
 * app then lists languages or files by hand.
 */
export function languages(): Plugin {
  return {
    name: 'languages',
    resolveId: (id) => (isVirtual(id) ? `\0${id}` : null),
    load(id) {
      if (!id.startsWith('\0') || !isVirtual(id.slice(1))) return null
      const name = id.slice(1)
      if (name === LIST) return writeList()
      return name === DESKTOP_STRINGS
        ? writeDesktopStrings()
        : writeLanguage(name.slice(ONE.length))
    },
  }
}

/** Emits the licence of the emoji names. */
export function emojiLicence(): Plugin {
  return {
    name: 'emoji-licence',
    generateBundle() {
      this.emitFile({
        type: 'asset',
        fileName: `assets/${EMOJI_LICENCE}`,
        source: readFileSync(path.join(LOCALES, EMOJI_LICENCE)),
      })
    },
  }
}
