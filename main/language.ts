// What the desktop app says in its menus, tray and dialogs, in the language of the person.
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
    // Systems name locales such as "C", which are no languages.
    return null
  }
}

/** The first of the wanted languages the app speaks, in the same script; else English. */
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

/** Takes the first of the wanted languages; answers whether that is another one than before. */
export function setLanguage(wanted: readonly string[]): boolean {
  const before = current
  current = chooseLanguage(wanted)
  return current !== before
}

export const speaksEnglish = (): boolean => current === ENGLISH

/** The language menus, tray and dialogs are in. */
export const currentLanguage = (): string => current

function find(tree: StringTree | undefined, key: string): string | null {
  let found: string | StringTree | undefined = tree
  for (const part of key.split('.'))
    found = typeof found === 'object' && Object.hasOwn(found, part) ? found[part] : undefined
  return typeof found === 'string' ? found : null
}

const fill = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replace(/\{\{(\w+)\}\}/g, (all, name: string) => values[name] ?? all)

/** A string of `desktop.json`, with the name of the product and the given values in it. */
export function say(key: string, values: Readonly<Record<string, string>> = {}): string {
  const text = find(strings[current]?.desktop, key) ?? find(strings[ENGLISH]?.desktop, key)
  if (text === null) throw new Error(`There is no string ${key} in desktop.json.`)
  return fill(text, { name: PRODUCT, ...values })
}

/** What a command is called, as in the interface. */
export const sayCommand = (id: CommandId, fallback: string): string =>
  find(strings[current]?.commands, `label.${id}`) ?? fallback
