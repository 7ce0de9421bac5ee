import '../../lib/strings/import.ts'
import '../../lib/strings/memories.ts'
import '../../lib/strings/webhooks.ts'
import '../../lib/strings/connections.ts'
import '../../lib/strings/doctor.ts'
import '../../lib/strings/retrieval.ts'
import '../../lib/strings/admin.ts'
import type { SettingsPage } from '../../lib/router.ts'
import '../../lib/desktop-strings.ts'
import '../../ui/voice/strings.ts'
// The labels of its page are part of the picture strings.
import '../../ui/pictures/strings.ts'

/** Searchable entries by page, with the keys of their labels; used by the search box. */
const SETTINGS_INDEX = Object.freeze([
  { page: 'account', label: 'settings.account.profile' },
  { page: 'account', label: 'settings.account.password' },
  { page: 'account', label: 'settings.account.sessions.title' },
  { page: 'account', label: 'settings.account.providers.title' },
  { page: 'account', label: 'webhooks.ownTitle' },
  { page: 'account', label: 'auth.signOut' },
  { page: 'appearance', label: 'settings.appearance.theme' },
  { page: 'appearance', label: 'settings.appearance.density' },
  { page: 'appearance', label: 'settings.appearance.textScale' },
  { page: 'appearance', label: 'settings.appearance.column' },
  { page: 'appearance', label: 'settings.appearance.language' },
  { page: 'appearance', label: 'settings.appearance.sendLinks' },
  { page: 'voice', label: 'voice.settings.own' },
  { page: 'voice', label: 'voice.settings.readsAnswers' },
  { page: 'voice', label: 'voice.settings.speakEngine' },
  { page: 'voice', label: 'voice.settings.listenEngine' },
  { page: 'memories', label: 'memories.use' },
  { page: 'memories', label: 'memories.deleteAll' },
  { page: 'own-tools', label: 'toolServers.own.title' },
  { page: 'own-tools', label: 'toolServers.own.signIns' },
  { page: 'desktop', label: 'desktopApp.quickAsk.title' },
  { page: 'desktop', label: 'desktopApp.background.title' },
  { page: 'desktop', label: 'desktopApp.background.startsAtLogin' },
  { page: 'desktop', label: 'desktopApp.writing.checksSpelling' },
  { page: 'connections', label: 'connections.addTitle' },
  { page: 'connections', label: 'connections.kinds.runtime' },
  { page: 'connections', label: 'connections.kinds.compatible' },
  { page: 'doctor', label: 'doctor.begin' },
  { page: 'local-models', label: 'settings.pages.local-models' },
  { page: 'sharing', label: 'settings.sharing.switch' },
  { page: 'sharing', label: 'settings.sharing.guests' },
  { page: 'outgoing', label: 'settings.outgoing.seal' },
  { page: 'outgoing', label: 'settings.outgoing.list' },
  { page: 'keys', label: 'settings.keys.create' },
  { page: 'keys', label: 'settings.keys.title' },
  { page: 'data', label: 'import.title' },
  { page: 'data', label: 'import.exportAll' },
  { page: 'data', label: 'import.archiveAll' },
  { page: 'data', label: 'import.deleteAll' },
  { page: 'time-machine', label: 'settings.pages.time-machine' },
  { page: 'gateway', label: 'settings.gateway.title' },
  { page: 'gateway', label: 'settings.configuration.title' },
  { page: 'code', label: 'settings.pages.code' },
  { page: 'documents', label: 'retrieval.engine.title' },
  { page: 'documents', label: 'retrieval.index.title' },
  { page: 'documents', label: 'retrieval.try.title' },
  { page: 'documents', label: 'retrieval.template.title' },
  { page: 'documents', label: 'retrieval.parts.uploads.title' },
  { page: 'documents', label: 'retrieval.parts.pages.title' },
  { page: 'documents', label: 'retrieval.parts.web.title' },
  { page: 'pictures', label: 'pictures.settings.making' },
  { page: 'pictures', label: 'pictures.settings.editing' },
  { page: 'pictures', label: 'pictures.settings.template' },
  { page: 'announcements', label: 'admin.announcements.banners' },
  { page: 'announcements', label: 'admin.announcements.suggestions' },
  { page: 'announcements', label: 'admin.announcements.waiting' },
  { page: 'announcements', label: 'webhooks.gatewayTitle' },
  { page: 'users', label: 'admin.users.add' },
  { page: 'users', label: 'admin.users.resetPassword' },
  { page: 'groups', label: 'admin.groups.create' },
  { page: 'groups', label: 'admin.groups.members' },
  { page: 'permissions', label: 'settings.pages.permissions' },
  { page: 'directory', label: 'admin.directory.title' },
  { page: 'directory', label: 'admin.provisioning.title' },
  { page: 'single-sign-on', label: 'admin.singleSignOn.title' },
  { page: 'analytics', label: 'settings.pages.analytics' },
  { page: 'requests', label: 'settings.pages.requests' },
  { page: 'requests', label: 'admin.requests.bodies' },
  { page: 'webhooks', label: 'webhooks.add' },
  { page: 'api', label: 'admin.api.base' },
  { page: 'api', label: 'admin.api.download' },
  { page: 'about', label: 'settings.about.version' },
  { page: 'about', label: 'settings.about.licence' },
  { page: 'about', label: 'settings.about.dataFolder' },
  { page: 'about', label: 'commands.shortcuts' },
] as const satisfies readonly { page: SettingsPage; label: string }[])

type SettingsEntry = (typeof SETTINGS_INDEX)[number]

/** Returns entries whose label or page name contains every search term. */
export function findSettings(
  query: string,
  textOf: (entry: SettingsEntry) => string,
): readonly SettingsEntry[] {
  const wanted = query.toLowerCase().split(/\s+/).filter(Boolean)
  if (wanted.length === 0) return []
  return SETTINGS_INDEX.filter((entry) => {
    const text = textOf(entry).toLowerCase()
    return wanted.every((word) => text.includes(word))
  })
}
