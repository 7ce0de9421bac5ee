import i18next, { type TOptions } from 'i18next'
import { initReactI18next } from 'react-i18next'
import admin from '../locales/en/admin.json' with { type: 'json' }
import access from '../locales/en/access.json' with { type: 'json' }
import auth from '../locales/en/auth.json' with { type: 'json' }
import banners from '../locales/en/banners.json' with { type: 'json' }
import type channels from '../locales/en/channels.json'
import chat from '../locales/en/chat.json' with { type: 'json' }
import type code from '../locales/en/code.json'
import chats from '../locales/en/chats.json' with { type: 'json' }
import commands from '../locales/en/commands.json' with { type: 'json' }
import common from '../locales/en/common.json' with { type: 'json' }
import connections from '../locales/en/connections.json' with { type: 'json' }
import deletions from '../locales/en/deletions.json' with { type: 'json' }
import documents from '../locales/en/documents.json' with { type: 'json' }
import dialogs from '../locales/en/dialogs.json' with { type: 'json' }
import files from '../locales/en/files.json' with { type: 'json' }
import firstRun from '../locales/en/first-run.json' with { type: 'json' }
import folders from '../locales/en/folders.json' with { type: 'json' }
import importing from '../locales/en/import.json' with { type: 'json' }
import knowledge from '../locales/en/knowledge.json' with { type: 'json' }
import memories from '../locales/en/memories.json' with { type: 'json' }
import models from '../locales/en/models.json' with { type: 'json' }
import notes from '../locales/en/notes.json' with { type: 'json' }
import passages from '../locales/en/passages.json' with { type: 'json' }
import type pictures from '../locales/en/pictures.json'
import type settingNames from '../locales/en/setting-names.json'
import plugins from '../locales/en/plugins.json' with { type: 'json' }
import prompts from '../locales/en/prompts.json' with { type: 'json' }
import ratings from '../locales/en/ratings.json' with { type: 'json' }
import retrieval from '../locales/en/retrieval.json' with { type: 'json' }
import settings from '../locales/en/settings.json' with { type: 'json' }
import share from '../locales/en/share.json' with { type: 'json' }
import toolServers from '../locales/en/tool-servers.json' with { type: 'json' }
import webhooks from '../locales/en/webhooks.json' with { type: 'json' }
import workspace from '../locales/en/workspace.json' with { type: 'json' }
import { toPseudo } from './pseudo-locale.ts'

const english = {
  access,
  admin,
  auth,
  banners,
  chat,
  chats,
  commands,
  common,
  connections,
  deletions,
  documents,
  dialogs,
  files,
  firstRun,
  folders,
  import: importing,
  knowledge,
  memories,
  models,
  notes,
  passages,
  plugins,
  prompts,
  ratings,
  retrieval,
  settings,
  share,
  toolServers,
  webhooks,
  workspace,
}

/** Strings that come with features which are fetched when they are needed. */
interface LaterStrings {
  readonly channels: typeof channels
  readonly pictures: typeof pictures
  readonly code: typeof code
  readonly settingNames: typeof settingNames
}

let strings: object = english

/**
 * Languages a person can choose; `en-XA` shows accented English and is there for checking that no
 * string is missing.
 */
export const LANGUAGES = Object.freeze(['en', 'en-XA'] as const)
export type Language = (typeof LANGUAGES)[number]

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
})

/** Adds the strings of a feature that has just been fetched, before it is drawn. */
export function addStrings(more: Partial<LaterStrings>): void {
  strings = { ...strings, ...more }
  i18next.addResourceBundle('en', 'translation', more, true, true)
  if (i18next.hasResourceBundle('en-XA', 'translation'))
    i18next.addResourceBundle('en-XA', 'translation', toPseudo(more), true, true)
}

/** Switches the language of the whole interface, including the document's `lang`. */
export async function setLanguage(language: Language): Promise<void> {
  if (language === 'en-XA' && !i18next.hasResourceBundle('en-XA', 'translation')) {
    i18next.addResourceBundle('en-XA', 'translation', toPseudo(strings))
  }
  await i18next.changeLanguage(language)
  document.documentElement.lang = language
  document.documentElement.dir = i18next.dir(language)
}

type Key = Parameters<typeof i18next.t>[0]

/** A string outside of components; inside them use `useTranslation`. */
export const translate = (key: Key, options?: TOptions): string =>
  i18next.t(key as never, options as never) as unknown as string
