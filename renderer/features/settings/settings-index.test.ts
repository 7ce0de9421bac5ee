// @vitest-environment jsdom
import { expect, test } from 'vitest'
import { translate } from '../../lib/i18n.ts'
import { findSettings, pathOf } from './settings-index.ts'

const find = (query: string): string[] =>
  findSettings(query, (entry) => ({
    name: translate(entry.label),
    words: 'words' in entry ? translate(`settingWords.${entry.words}`) : '',
  })).map(({ label }) => label)

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
})
