import { expect, test } from 'vitest'
import settingPages from '../../renderer/locales/en/setting-pages.json' with { type: 'json' }
import { settingDefinitions } from '../../server/settings/definitions.ts'

const CHOICES: Record<string, Record<string, string>> = settingPages.gateway.choices

test('every value that a setting allows has words, and no two of a setting have the same', () => {
  const choices = settingDefinitions.filter(({ allowed, type }) => allowed && type === 'string')
  expect(choices.length).toBeGreaterThan(10)
  for (const { key, allowed = [] } of choices) {
    const texts = CHOICES[key] ?? {}
    expect(Object.keys(texts).toSorted(), key).toEqual(
      allowed.map((value) => value || 'empty').toSorted(),
    )
    expect(new Set(Object.values(texts)).size, key).toBe(allowed.length)
  }
  expect(Object.keys(CHOICES).toSorted()).toEqual(choices.map(({ key }) => key).toSorted())
})
