import { describe, expect, it } from 'vitest'
import type { Setting } from '#contract/settings.ts'
import { textOf } from '../../ui/settings/settings-draft.ts'
import { toChanges } from './code-settings-store.ts'

const setting = (key: string, patch: Partial<Setting>): Setting =>
  ({
    key,
    type: 'string',
    value: '',
    secret: false,
    locked: false,
    is_set: false,
    ...patch,
  }) as Setting

const settings = new Map(
  [
    setting('URL', { value: 'http://jupyter.example' }),
    setting('TOKEN', { secret: true, value: null, is_set: true }),
    setting('TIMEOUT', { type: 'integer', value: 60 }),
    setting('LOCKED', { locked: true, value: 'a' }),
  ].map((each) => [each.key, each]),
)

describe('what was typed into the settings of code', () => {
  it('is shown over what is stored, and secrets are never shown', () => {
    expect([
      textOf(settings, {}, 'URL'),
      textOf(settings, { URL: '' }, 'URL'),
      textOf(settings, {}, 'TOKEN'),
      textOf(settings, {}, 'TIMEOUT'),
    ]).toEqual(['http://jupyter.example', '', '', '60'])
  })

  it('is saved where it differs', () => {
    expect(
      toChanges(settings, {
        URL: 'http://jupyter.example',
        TOKEN: ' t ',
        TIMEOUT: '90',
        LOCKED: 'b',
        UNKNOWN: 'x',
      }),
    ).toEqual({
      TOKEN: 't',
      TIMEOUT: 90,
    })
    expect(toChanges(settings, { URL: undefined })).toEqual({})
  })

  it('is not saved while a number is none', () => {
    for (const text of ['', 'x', '-1', '1.5', '1e9'])
      expect(toChanges(settings, { TIMEOUT: text })).toBeNull()
  })
})
