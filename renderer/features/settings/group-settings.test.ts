import { expect, test } from 'vitest'
import type { Setting } from '#contract/settings.ts'
import { groupSettings, previewConfiguration } from './group-settings.ts'

const setting = (part: Partial<Setting>): Setting => ({
  key: 'NAME',
  type: 'string',
  value: 'a',
  default: 'a',
  origin: 'default',
  locked: false,
  secret: false,
  is_set: true,
  help: 'What it is called.',
  group: 'appearance',
  ...part,
})

const settings = [
  setting({}),
  setting({ key: 'LIMIT', type: 'integer', value: 5, group: 'network', origin: 'stored' }),
  setting({ key: 'PRICES', type: 'json', value: '{"a":1}', group: 'models' }),
  setting({ key: 'FIXED', locked: true, origin: 'environment', group: 'network' }),
]

test('settings stand in groups and are narrowed down by words and origin', () => {
  expect(groupSettings(settings, '', 'all').map(([group, rows]) => [group, rows.length])).toEqual([
    ['appearance', 1],
    ['network', 2],
    ['models', 1],
  ])
  expect(groupSettings(settings, 'called lim', 'all')).toMatchObject([
    ['network', [{ key: 'LIMIT' }]],
  ])
  expect(groupSettings(settings, '', 'changed')).toMatchObject([['network', [{ key: 'LIMIT' }]]])
  expect(groupSettings(settings, '', 'environment')).toMatchObject([
    ['network', [{ key: 'FIXED' }]],
  ])
})

test('an import is compared with what is set', () => {
  const preview = previewConfiguration(settings, {
    NAME: 'b',
    LIMIT: 5,
    PRICES: { a: 1 },
    FIXED: 'x',
    OTHER: 1,
  })
  expect(preview).toEqual({
    changes: [{ key: 'NAME', from: 'a', to: 'b' }],
    locked: ['FIXED'],
    unknown: ['OTHER'],
  })
  expect(previewConfiguration(settings, { PRICES: 'no json' }).changes).toEqual([
    { key: 'PRICES', from: '{"a":1}', to: 'no json' },
  ])
})
