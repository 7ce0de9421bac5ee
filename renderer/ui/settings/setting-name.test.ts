import { expect, it } from 'vitest'
import settingHelp from '../../locales/en/setting-help.json' with { type: 'json' }
import { helpOf } from './setting-help.ts'
import { nameSettings } from './setting-name.ts'

it('a text about a setting calls others by the names people know', () => {
  expect(nameSettings('Needs ENABLE_LOGIN_FORM to be off.')).toBe(
    'Needs “Show the sign-in form” to be off.',
  )
  expect(nameSettings('Nobody knows NO_SUCH_SETTING.')).toBe('Nobody knows NO_SUCH_SETTING.')
})

it('no help of a setting shows the name of a variable', () => {
  const shown = Object.entries(settingHelp).map(([key, help]) => helpOf({ key, help }))
  expect(shown.length).toBeGreaterThan(300)
  // CURRENT_DATE is a place in a template, not a setting.
  expect(
    shown.filter((text) => /\b[A-Z][A-Z0-9]+_[A-Z0-9_]+\b/.test(text.replace('CURRENT_DATE', ''))),
  ).toEqual([])
})
