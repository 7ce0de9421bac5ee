import '../../lib/strings/setting-pages.ts'
import '../../lib/strings/import.ts'
import '../../lib/strings/memories.ts'
import '../../lib/strings/webhooks.ts'
import '../../lib/strings/connections.ts'
import '../../lib/strings/doctor.ts'
import '../../lib/strings/retrieval.ts'
import '../../lib/strings/admin.ts'
import { type SettingsPage, toPath, workspacePath } from '../../lib/router.ts'
import '../../lib/desktop-strings.ts'
import './strings.ts'
import '../../ui/voice/strings.ts'
// The labels of its page are part of the picture strings.
import '../../ui/pictures/strings.ts'

/**
 * Pages outside of the settings that people look for here, each with a page of the settings that
 * only its users see.
 */
export const PLACES_ELSEWHERE = Object.freeze({
  tools: 'account',
  trash: 'account',
  models: 'gateway',
  prices: 'gateway',
} as const satisfies Record<string, SettingsPage>)
type PlaceElsewhere = keyof typeof PLACES_ELSEWHERE

/** A page of the settings, or one outside of them. */
export type SettingsTarget = SettingsPage | PlaceElsewhere

/** True for a page outside of the settings. */
export const isElsewhere = (target: SettingsTarget): target is PlaceElsewhere =>
  target in PLACES_ELSEWHERE

interface SettingsEntry {
  readonly page: SettingsTarget
  readonly label: string
  /** Key of its other words in `settingWords`. */
  readonly words?: string
}

/** Searchable entries by page, with the keys of their labels; used by the search box. */
const SETTINGS_INDEX = Object.freeze([
  { page: 'account', label: 'settings.account.profile', words: 'profile' },
  { page: 'account', label: 'settings.account.password', words: 'password' },
  { page: 'account', label: 'settings.account.sessions.title', words: 'sessions' },
  { page: 'account', label: 'settings.account.providers.title' },
  { page: 'account', label: 'webhooks.ownTitle', words: 'ownWebhook' },
  { page: 'account', label: 'auth.signOut', words: 'signOut' },
  { page: 'appearance', label: 'settings.appearance.theme', words: 'theme' },
  { page: 'appearance', label: 'settings.appearance.accent', words: 'accent' },
  { page: 'appearance', label: 'settings.appearance.density', words: 'density' },
  { page: 'appearance', label: 'settings.appearance.textScale', words: 'textScale' },
  { page: 'appearance', label: 'settings.appearance.column', words: 'column' },
  { page: 'appearance', label: 'settings.appearance.language', words: 'language' },
  { page: 'appearance', label: 'settings.appearance.sendLinks', words: 'sendLinks' },
  { page: 'voice', label: 'voice.settings.own', words: 'voice' },
  { page: 'voice', label: 'voice.settings.readsAnswers', words: 'readsAnswers' },
  { page: 'speech', label: 'voice.settings.speakEngine', words: 'speakEngine' },
  { page: 'speech', label: 'voice.settings.listenEngine', words: 'listenEngine' },
  { page: 'memories', label: 'memories.use', words: 'memories' },
  { page: 'memories', label: 'memories.deleteAll', words: 'memoriesDelete' },
  { page: 'desktop', label: 'desktopApp.quickAsk.title', words: 'quickAsk' },
  { page: 'desktop', label: 'desktopApp.background.title', words: 'background' },
  { page: 'desktop', label: 'desktopApp.background.startsAtLogin', words: 'startsAtLogin' },
  { page: 'desktop', label: 'desktopApp.writing.checksSpelling' },
  { page: 'connections', label: 'connections.addTitle', words: 'connections' },
  { page: 'connections', label: 'connections.kinds.runtime' },
  { page: 'connections', label: 'connections.kinds.compatible' },
  { page: 'doctor', label: 'doctor.begin', words: 'doctor' },
  { page: 'local-models', label: 'settings.pages.local-models', words: 'localModels' },
  { page: 'sharing', label: 'settings.sharing.switch', words: 'sharing' },
  { page: 'sharing', label: 'settings.sharing.guests', words: 'guests' },
  { page: 'outgoing', label: 'settings.outgoing.seal', words: 'seal' },
  { page: 'outgoing', label: 'settings.outgoing.list', words: 'outgoing' },
  { page: 'keys', label: 'settingPages.keys.create', words: 'keys' },
  { page: 'keys', label: 'settingPages.keys.title' },
  { page: 'data', label: 'import.title', words: 'import' },
  { page: 'data', label: 'import.exportAll', words: 'export' },
  { page: 'data', label: 'import.archiveAll', words: 'archive' },
  { page: 'data', label: 'import.deleteAll', words: 'deleteAll' },
  { page: 'time-machine', label: 'settings.pages.time-machine', words: 'timeMachine' },
  { page: 'tools', label: 'workspace.areas.tools', words: 'tools' },
  { page: 'models', label: 'workspace.areas.models', words: 'models' },
  { page: 'prices', label: 'workspace.areas.prices', words: 'prices' },
  { page: 'trash', label: 'commands.label.chats.trash', words: 'trash' },
  { page: 'gateway', label: 'settingPages.gateway.title', words: 'gateway' },
  { page: 'gateway', label: 'settingPages.configuration.title', words: 'configuration' },
  { page: 'code', label: 'settings.pages.code', words: 'code' },
  { page: 'documents', label: 'retrieval.engine.title', words: 'embedding' },
  { page: 'documents', label: 'retrieval.index.title' },
  { page: 'documents', label: 'retrieval.try.title' },
  { page: 'documents', label: 'retrieval.template.title' },
  { page: 'documents', label: 'retrieval.parts.uploads.title' },
  { page: 'documents', label: 'retrieval.parts.pages.title' },
  { page: 'documents', label: 'retrieval.parts.web.title', words: 'webSearch' },
  { page: 'pictures', label: 'pictures.settings.making', words: 'pictures' },
  { page: 'pictures', label: 'pictures.settings.editing' },
  { page: 'pictures', label: 'pictures.settings.template' },
  { page: 'announcements', label: 'admin.announcements.banners', words: 'banners' },
  { page: 'announcements', label: 'admin.announcements.suggestions', words: 'suggestions' },
  { page: 'announcements', label: 'admin.announcements.waiting' },
  { page: 'announcements', label: 'webhooks.gatewayTitle' },
  { page: 'users', label: 'admin.users.add', words: 'users' },
  { page: 'users', label: 'admin.users.resetPassword', words: 'resetPassword' },
  { page: 'groups', label: 'admin.groups.create', words: 'groups' },
  { page: 'groups', label: 'admin.groups.members' },
  { page: 'permissions', label: 'settings.pages.permissions', words: 'permissions' },
  { page: 'directory', label: 'admin.directory.title', words: 'directory' },
  { page: 'directory', label: 'admin.provisioning.title', words: 'provisioning' },
  { page: 'single-sign-on', label: 'admin.singleSignOn.title', words: 'singleSignOn' },
  { page: 'analytics', label: 'settings.pages.analytics', words: 'analytics' },
  { page: 'requests', label: 'settings.pages.requests', words: 'requests' },
  { page: 'requests', label: 'admin.requests.bodies' },
  { page: 'webhooks', label: 'webhooks.add', words: 'webhooks' },
  { page: 'api', label: 'admin.api.base', words: 'api' },
  { page: 'api', label: 'admin.api.download' },
  { page: 'about', label: 'settings.about.version', words: 'version' },
  { page: 'about', label: 'settings.about.licence', words: 'licence' },
  { page: 'about', label: 'settings.about.dataFolder', words: 'dataFolder' },
  { page: 'about', label: 'commands.shortcuts', words: 'shortcuts' },
] as const satisfies readonly SettingsEntry[])

/** Returns the URL that an entry leads to. */
export function pathOf(page: SettingsTarget): string {
  if (page === 'trash') return toPath({ name: 'trash' })
  return isElsewhere(page) ? workspacePath(page) : toPath({ name: 'settings', page })
}

const includesAll = (text: string, wanted: readonly string[]): boolean =>
  wanted.every((word) => text.toLowerCase().includes(word))

type Entry = (typeof SETTINGS_INDEX)[number]

interface EntryTexts {
  /** The label and the name of the page. */
  readonly name: string
  /** Other words that people use for it. */
  readonly words: string
}

/**
 * Returns entries whose texts contain every search term; those that contain them in their name come
 * first.
 */
export function findSettings(
  query: string,
  textsOf: (entry: Entry) => EntryTexts,
): readonly Entry[] {
  const wanted = query.toLowerCase().split(/\s+/).filter(Boolean)
  if (wanted.length === 0) return []
  const named: Entry[] = []
  const described: Entry[] = []
  for (const entry of SETTINGS_INDEX) {
    const { name, words } = textsOf(entry)
    if (includesAll(name, wanted)) named.push(entry)
    else if (includesAll(`${name} ${words}`, wanted)) described.push(entry)
  }
  return [...named, ...described]
}
