import type { SettingsPage } from '../../lib/router.ts'

/** What can be found on which page, by the keys of its labels; what the search box looks through. */
const SETTINGS_INDEX = Object.freeze([
  { page: 'account', label: 'settings.account.profile' },
  { page: 'account', label: 'settings.account.password' },
  { page: 'account', label: 'auth.signOut' },
  { page: 'appearance', label: 'settings.appearance.theme' },
  { page: 'appearance', label: 'settings.appearance.density' },
  { page: 'appearance', label: 'settings.appearance.textScale' },
  { page: 'appearance', label: 'settings.appearance.column' },
  { page: 'appearance', label: 'settings.appearance.language' },
  { page: 'memories', label: 'memories.use' },
  { page: 'memories', label: 'memories.deleteAll' },
  { page: 'connections', label: 'connections.addTitle' },
  { page: 'connections', label: 'connections.runtime' },
  { page: 'connections', label: 'connections.compatible' },
  { page: 'keys', label: 'settings.keys.create' },
  { page: 'keys', label: 'settings.keys.title' },
  { page: 'data', label: 'import.title' },
  { page: 'data', label: 'import.exportAll' },
  { page: 'data', label: 'import.archiveAll' },
  { page: 'data', label: 'import.deleteAll' },
  { page: 'gateway', label: 'settings.gateway.title' },
  { page: 'about', label: 'settings.about.version' },
  { page: 'about', label: 'settings.about.licence' },
  { page: 'about', label: 'settings.about.dataFolder' },
  { page: 'about', label: 'commands.shortcuts' },
] as const satisfies readonly { page: SettingsPage; label: string }[])

type SettingsEntry = (typeof SETTINGS_INDEX)[number]

/** Entries whose label or page name holds every word. */
export function findSettings(query: string, textOf: (entry: SettingsEntry) => string): readonly SettingsEntry[] {
  const wanted = query.toLowerCase().split(/\s+/).filter(Boolean)
  if (wanted.length === 0) return []
  return SETTINGS_INDEX.filter((entry) => {
    const text = textOf(entry).toLowerCase()
    return wanted.every((word) => text.includes(word))
  })
}
