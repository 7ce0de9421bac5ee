import { afterEach, describe, expect, it, vi } from 'vitest'
import { guessLanguage, LANGUAGE_NAMES, matchLanguage, toLanguage } from './languages.ts'

const OFFERED = ['en', 'de', 'pt-BR', 'zh-CN', 'ar']

afterEach(() => vi.unstubAllGlobals())

describe('the best language there is', () => {
  it.each([
    [['de-AT', 'en'], 'de'],
    [['pt-PT'], 'pt-BR'],
    [['nl', 'ar-EG', 'en'], 'ar'],
    [['zh-Hans-SG'], 'zh-CN'],
    [['zh'], 'zh-CN'],
    [['EN-gb'], 'en'],
  ])('of %j is %s', (wanted, expected) => {
    expect(matchLanguage(wanted, OFFERED)).toBe(expected)
  })

  it.each([[['zh-TW']], [['nl', 'fy']], [['not a language']], [[]]])(
    'of %j is none',
    (wanted: string[]) => {
      expect(matchLanguage(wanted, OFFERED)).toBeNull()
    },
  )
})

it('somebody who has not chosen gets what the gateway names, then what the browser asks for, then English', () => {
  vi.stubGlobal('navigator', { languages: ['tlh', 'en-GB'] })
  expect(guessLanguage()).toBe('en')
  expect(guessLanguage('??')).toBe('en')
  vi.stubGlobal('navigator', { languages: ['tlh'] })
  expect(guessLanguage()).toBe('en')
})

it('a stored language is taken only where it is there', () => {
  expect(toLanguage('en')).toBe('en')
  expect(toLanguage('ar-XB')).toBe('ar-XB')
  for (const stored of ['tlh', 7, null, undefined]) expect(toLanguage(stored)).toBeNull()
})

it('every folder of strings is a language with a name', () => {
  const folders = Object.keys(import.meta.glob('../locales/*/common.json')).map((file) =>
    file.split('/').at(-2)!,
  )
  expect(folders).toContain('de')
  expect(Object.keys(LANGUAGE_NAMES)).toEqual(expect.arrayContaining(folders))
})
