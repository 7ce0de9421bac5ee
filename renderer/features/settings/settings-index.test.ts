// @vitest-environment jsdom
import { expect, test } from 'vitest'
import { translate } from '../../lib/i18n.ts'
import { findSettings, pathOf } from './settings-index.ts'

const findEntries = (query: string) =>
  findSettings(query, (entry) => ({
    name: translate(entry.label),
    words: 'words' in entry ? translate(`settingWords.${entry.words}`) : '',
  }))
const find = (query: string): string[] => findEntries(query).map(({ label }) => label)
const findPages = (query: string): string[] => findEntries(query).map(({ page }) => page)

test('settings are found by what people call them', () => {
  for (const [query, label] of [
    ['phone', 'settings.sharing.switch'],
    ['password forgotten', 'admin.users.resetPassword'],
    ['forgotten password', 'settings.account.password'],
    ['dark mode', 'settings.appearance.theme'],
    ['delete everything', 'import.deleteAll'],
    ['api key', 'settingPages.keys.create'],
    ['api key', 'connections.addTitle'],
    ['proxy', 'settingPages.gateway.title'],
    ['backup', 'settings.pages.time-machine'],
    ['backup', 'import.exportAll'],
    ['language', 'settings.appearance.language'],
    ['log out', 'auth.signOut'],
    ['mcp', 'workspace.areas.tools'],
  ] as const)
    expect(find(query), query).toContain(label)
})

test('every word that people search with leads to the page they mean', () => {
  for (const [query, page] of [
    ['dark', 'appearance'],
    ['bigger', 'appearance'],
    ['color', 'appearance'],
    ['translate', 'appearance'],
    ['password', 'account'],
    ['logout', 'account'],
    ['photo', 'account'],
    ['notifications', 'account'],
    ['phone', 'sharing'],
    ['iPhone', 'sharing'],
    ['wifi', 'sharing'],
    ['certificate', 'sharing'],
    ['GPU', 'local-models'],
    ['graphics card', 'local-models'],
    ['install a model', 'local-models'],
    ['microphone', 'voice'],
    ['sound', 'voice'],
    ['transcribe', 'speech'],
    ['delete everything', 'data'],
    ['money', 'analytics'],
    ['price', 'prices'],
    ['cookies', 'outgoing'],
    ['colleague', 'users'],
    ['remove user', 'users'],
    ['who sees', 'permissions'],
    ['rate limit', 'keys'],
    ['autostart', 'desktop'],
    ['slow', 'doctor'],
    ['reset', 'gateway'],
    ['registration', 'gateway'],
    ['system prompt', 'models'],
    ['memory', 'memories'],
    ['undelete', 'trash'],
    ['help', 'about'],
  ] as const)
    expect(findPages(query), query).toContain(page)
})

test('a match in the name comes before one in the other words', () => {
  expect(find('theme')[0]).toBe('settings.appearance.theme')
  expect(find('password')[0]).toBe('settings.account.password')
  expect(find('export')[0]).toBe('import.exportAll')
})

test('an empty search finds nothing, and so does nonsense', () => {
  expect(find('  ')).toEqual([])
  expect(find('zebra crossing')).toEqual([])
})

test('tools are found here, and lead to the workspace', () => {
  expect(pathOf('tools')).toBe('/workspace/tools')
  expect(pathOf('voice')).toBe('/settings/voice')
  expect(pathOf('prices')).toBe('/workspace/prices')
  expect(pathOf('trash')).toBe('/trash')
})
