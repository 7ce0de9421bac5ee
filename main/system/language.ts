// Texts of the desktop app's menus, tray and dialogs, in the user's language.
import { strings, type StringTree } from 'virtual:desktop-strings'
import type { CommandId } from '#desktop'

export const PRODUCT = 'Chat Gateway'
const ENGLISH = 'en'

/** Every language the app speaks. */
export const languages: readonly string[] = Object.keys(strings)

let current = ENGLISH

const readLocale = (tag: string): Intl.Locale | null => {
  try {
    return new Intl.Locale(tag).maximize()
  } catch {
    // Systems have locales such as "C", which are not languages.
    return null
  }
}

/**
 * Returns the first of the wanted languages that the app supports in the same script; otherwise
 * English.
 */
export function chooseLanguage(wanted: readonly string[]): string {
  for (const tag of wanted) {
    const locale = readLocale(tag)
    const found = languages.find((each) => {
      const other = readLocale(each)
      return locale && other?.language === locale.language && other.script === locale.script
    })
    if (found !== undefined) return found
  }
  return ENGLISH
}

/** Sets the first supported one of the wanted languages; returns true if it changed. */
export function setLanguage(wanted: readonly string[]): boolean {
  const before = current
  current = chooseLanguage(wanted)
  return current !== before
}

export const speaksEnglish = (): boolean => current === ENGLISH

/** Returns the language of menus, tray and dialogs. */
export const currentLanguage = (): string => current

function find(tree: StringTree | undefined, key: string): string | null {
  let found: string | StringTree | undefined = tree
  for (const part of key.split('.'))
    found = typeof found === 'object' && Object.hasOwn(found, part) ? found[part] : undefined
  return typeof found === 'string' ? found : null
}

const fill = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replace(/\{\{(\w+)\}\}/g, (all, name: string) => values[name] ?? all)

/** Returns a string of `desktop.json`, with the product name and the given values inserted. */
export function say(key: string, values: Readonly<Record<string, string>> = {}): string {
  const text = find(strings[current]?.desktop, key) ?? find(strings[ENGLISH]?.desktop, key)
  if (text === null) throw new Error(`There is no string ${key} in desktop.json.`)
  return fill(text, { name: PRODUCT, ...values })
}

/** Returns the label of a command, as in the UI. */
export const sayCommand = (id: CommandId, fallback: string): string =>
  find(strings[current]?.commands, `label.${id}`) ?? fallback
