import i18next, { type TOptions } from 'i18next'
import { initReactI18next } from 'react-i18next'
import { languages, type FetchedLanguage } from 'virtual:languages'
import type admin from '../locales/en/admin.json'
import type access from '../locales/en/access.json'
import type areas from '../locales/en/areas.json'
import type artifacts from '../locales/en/artifacts.json'
import auth from '../locales/en/auth.json' with { type: 'json' }
import banners from '../locales/en/banners.json' with { type: 'json' }
import type channels from '../locales/en/channels.json'
import chat from '../locales/en/chat.json' with { type: 'json' }
import type code from '../locales/en/code.json'
import chats from '../locales/en/chats.json' with { type: 'json' }
import commands from '../locales/en/commands.json' with { type: 'json' }
import common from '../locales/en/common.json' with { type: 'json' }
import type connections from '../locales/en/connections.json'
import type deletions from '../locales/en/deletions.json'
import type doctor from '../locales/en/doctor.json'
import documents from '../locales/en/documents.json' with { type: 'json' }
import dialogs from '../locales/en/dialogs.json' with { type: 'json' }
import failures from '../locales/en/failures.json' with { type: 'json' }
import type files from '../locales/en/files.json'
import type firstRun from '../locales/en/first-run.json'
import folders from '../locales/en/folders.json' with { type: 'json' }
import type importing from '../locales/en/import.json'
import type knowledge from '../locales/en/knowledge.json'
import lists from '../locales/en/lists.json' with { type: 'json' }
import type modelEditor from '../locales/en/model-editor.json'
import type memories from '../locales/en/memories.json'
import models from '../locales/en/models.json' with { type: 'json' }
import type notes from '../locales/en/notes.json'
import type passages from '../locales/en/passages.json'
import type desktopApp from '../locales/en/desktop-app.json'
import type localModels from '../locales/en/local-models.json'
import type programs from '../locales/en/programs.json'
import type pictures from '../locales/en/pictures.json'
import type settingNames from '../locales/en/setting-names.json'
import type settingPages from '../locales/en/setting-pages.json'
import type settingWords from '../locales/en/setting-words.json'
import plugins from '../locales/en/plugins.json' with { type: 'json' }
import prompts from '../locales/en/prompts.json' with { type: 'json' }
import type ratings from '../locales/en/ratings.json'
import type retrieval from '../locales/en/retrieval.json'
import type analytics from '../locales/en/analytics.json'
import type automations from '../locales/en/automations.json'
import type calendar from '../locales/en/calendar.json'
import type outgoing from '../locales/en/outgoing.json'
import type sharing from '../locales/en/sharing.json'
import type promptChecks from '../locales/en/prompt-checks.json'
import type skills from '../locales/en/skills.json'
import type voice from '../locales/en/voice.json'
import type timeMachine from '../locales/en/time-machine.json'
import settings from '../locales/en/settings.json' with { type: 'json' }
import type share from '../locales/en/share.json'
import type shortcuts from '../locales/en/shortcuts.json'
import toolServers from '../locales/en/tool-servers.json' with { type: 'json' }
import type webhooks from '../locales/en/webhooks.json'
import workspace from '../locales/en/workspace.json' with { type: 'json' }
import { isPseudo, matchLanguage, type Language } from './languages.ts'

const english = {
  auth,
  banners,
  chat,
  chats,
  commands,
  common,
  documents,
  dialogs,
  failures,
  folders,
  lists,
  models,
  plugins,
  prompts,
  settings,
  toolServers,
  workspace,
}

/**
 * Strings loaded on demand: one file each in `strings/`, or beside the only feature that uses them.
 */
interface LaterStrings {
  readonly doctor: typeof doctor
  readonly webhooks: typeof webhooks
  readonly share: typeof share
  readonly shortcuts: typeof shortcuts
  readonly ratings: typeof ratings
  readonly retrieval: typeof retrieval
  readonly passages: typeof passages
  readonly notes: typeof notes
  readonly memories: typeof memories
  readonly modelEditor: typeof modelEditor
  readonly knowledge: typeof knowledge
  readonly import: typeof importing
  readonly firstRun: typeof firstRun
  readonly files: typeof files
  readonly deletions: typeof deletions
  readonly connections: typeof connections
  readonly admin: typeof admin
  readonly access: typeof access
  readonly areas: typeof areas
  readonly artifacts: typeof artifacts
  readonly channels: typeof channels
  readonly localModels: typeof localModels
  readonly programs: typeof programs
  readonly pictures: typeof pictures
  readonly code: typeof code
  readonly analytics: typeof analytics
  readonly automations: typeof automations
  readonly calendar: typeof calendar
  readonly outgoing: typeof outgoing
  readonly sharing: typeof sharing
  readonly desktopApp: typeof desktopApp
  readonly promptChecks: typeof promptChecks
  readonly skills: typeof skills
  readonly timeMachine: typeof timeMachine
  readonly voice: typeof voice
  readonly settingNames: typeof settingNames
  readonly settingPages: typeof settingPages
  readonly settingWords: typeof settingWords
  readonly settingHelp: Readonly<Record<string, string>>
  readonly emoji: Readonly<Record<string, string>>
}

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'translation'
    resources: { translation: typeof english & LaterStrings }
  }
}

void i18next.use(initReactI18next).init({
  lng: 'en',
  fallbackLng: 'en',
  resources: { en: { translation: english } },
  interpolation: { escapeValue: false },
  initAsync: false,
  react: { useSuspense: false, bindI18nStore: 'added' },
})

/** English strings of the parts loaded so far, which every other language has to follow. */
const laterParts = new Map<string, object>()
const fetched = new Map<Language, Promise<FetchedLanguage>>()
/** Parts of languages already added to `i18next`; `first` is the first one. */
const added = new Set<string>()
let wanted: Language = 'en'

/** Fetches a language, once unless that fails. */
async function fetchLanguage(language: Language): Promise<FetchedLanguage> {
  if (isPseudo(language)) {
    const { makePseudoLanguage } = await import('./pseudo-locale.ts')
    return makePseudoLanguage(language, english, laterParts)
  }
  const known = fetched.get(language) ?? languages[language]?.()
  if (!known) throw new Error(`There is no language ${language}.`)
  fetched.set(language, known)
  try {
    return await known
  } catch (thrown) {
    fetched.delete(language)
    throw thrown
  }
}

/** Adds the strings a language lacks compared to the loaded English ones. */
async function complete(language: Language): Promise<void> {
  if (language === 'en') return
  const { first, later } = await fetchLanguage(language)
  const add = (name: string, strings: object): void => {
    i18next.addResourceBundle(language, 'translation', strings, true, true)
    added.add(`${language} ${name}`)
  }
  if (!added.has(`${language} first`)) add('first', first)
  const missing = [...laterParts.keys()].filter((name) => !added.has(`${language} ${name}`))
  await Promise.all(
    missing.map(async (name) => {
      const part = await later[name]?.()
      if (part) add(name, { [name]: part.default })
    }),
  )
}

/**
 * Adds the strings of a feature that was just loaded, before it is rendered. If another language
 * keeps them in a separate part, English is shown until that is loaded.
 */
export function addStrings<Name extends keyof LaterStrings>(
  name: Name,
  strings: LaterStrings[Name],
): void {
  laterParts.set(name, strings)
  i18next.addResourceBundle('en', 'translation', { [name]: strings }, true, true)
  const shown = new Set([i18next.language as Language, wanted])
  for (const language of shown) complete(language).catch(() => undefined)
}

/**
 * Switches the language of the whole UI, including the document's `lang`. If several switches are
 * in progress, the last one applies.
 */
export async function setLanguage(language: Language): Promise<void> {
  wanted = language
  await complete(language)
  if (wanted !== language) return
  await i18next.changeLanguage(language)
  document.documentElement.lang = language
  document.documentElement.dir = i18next.dir(language)
}

const formatLocales = new Map<string, string>()

/**
 * Returns the locale for dates and numbers: the UI's language, with the browser's region if it has
 * the same language.
 */
export function formatLocale(language: string = i18next.language): string {
  const known = formatLocales.get(language)
  if (known !== undefined) return known
  const own = navigator.languages.find((tag) => matchLanguage([tag], [language]) !== null)
  const locale = isPseudo(language) ? language : (own ?? language)
  formatLocales.set(language, locale)
  return locale
}

/** Returns the names of emoji in the UI's language. */
export function readEmojiNames(): Readonly<Record<string, string>> {
  const bundle = i18next.getResourceBundle(i18next.language, 'translation') as LaterStrings
  return bundle.emoji ?? {}
}

type Key = Parameters<typeof i18next.t>[0]

/** Translates a string outside components; inside them use `useTranslation`. */
export const translate = (key: Key, options?: TOptions): string =>
  i18next.t(key as never, options as never) as unknown as string
