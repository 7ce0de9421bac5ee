import { describe, expect, it } from 'vitest'
import { compareTexts, expectTexts, findStale, toRecord } from './compare-texts.ts'
import { toFingerprint, type Texts } from './texts.ts'

const texts = (rows: Record<string, string>): Texts => new Map(Object.entries(rows))

const english = texts({
  'a:title': 'Chats of {{name}}',
  'a:link': 'Read the <link>page</link>',
  'a:files_one': '{{count}} file',
  'a:files_other': '{{count}} files',
  'a:someone': 'Someone',
})

const german = texts({
  'a:title': 'Chats von {{name}}',
  'a:link': '<link>Seite</link> lesen',
  'a:files_one': 'Eine Datei',
  'a:files_other': '{{count}} Dateien',
  'a:someone': 'Jemand',
})

describe('forms beside numbers', () => {
  it('are those of the language: one in Japanese, six in Arabic', () => {
    const forms = (language: string) =>
      [...expectTexts(english, language).keys()].filter((key) => key.includes('files'))
    expect(forms('ja')).toEqual(['a:files_other'])
    expect(forms('de').toSorted()).toEqual(['a:files_one', 'a:files_other'])
    expect(forms('fr').toSorted()).toEqual(['a:files_many', 'a:files_one', 'a:files_other'])
    expect(forms('ar')).toHaveLength(6)
  })

  it('are not seen in words that only end like them', () => {
    expect(expectTexts(english, 'ja').has('a:someone')).toBe(true)
    const zero = texts({ 'a:n_zero': 'none', 'a:n_one': '{{count}}', 'a:n_other': '{{count}}' })
    expect([...expectTexts(zero, 'ja').keys()].toSorted()).toEqual(['a:n_other', 'a:n_zero'])
  })
})

describe('a language', () => {
  it('with all keys, placeholders and tags has no fault, though one of something is spelt out', () => {
    const found = compareTexts(english, german, 'de')
    expect([found.missing.size, found.superfluous, found.wrong]).toEqual([0, [], []])
  })

  it('is told of keys it lacks and of those nobody asks for', () => {
    const own = new Map(german)
    own.delete('a:title')
    own.set('a:old', 'Alt').set('a:files_few', '{{count}}')
    const { missing, superfluous } = compareTexts(english, own, 'de')
    expect([...missing]).toEqual([['a:title', 'Chats of {{name}}']])
    expect(superfluous).toEqual(['a:old', 'a:files_few'])
  })

  it.each([
    ['a:title', 'Chats'],
    ['a:title', 'Chats von {{person}}'],
    ['a:link', 'Seite lesen'],
    ['a:files_other', 'Viele Dateien'],
    ['a:someone', ' '],
  ])('is told of %s saying %j', (key, text) => {
    const { wrong } = compareTexts(english, new Map(german).set(key, text), 'de')
    expect(wrong.map((fault) => fault.key)).toEqual([key])
  })
})

const NONE = { complete: false, texts: {} }

describe('the record', () => {
  const record = toRecord({ english, own: german, language: 'de' }, NONE)

  it('says that a language without faults is complete', () => {
    expect(record.complete).toBe(true)
    const half = texts({ 'a:title': 'Chats von {{name}}' })
    expect(toRecord({ english, own: half, language: 'de' }, NONE)).toEqual({
      complete: false,
      texts: { 'a:title': toFingerprint('Chats of {{name}}') },
    })
  })

  it('tells what was translated from another English text', () => {
    const changed = new Map(english).set('a:title', 'The chats of {{name}}')
    const stale = (source: Texts) =>
      findStale({ english: source, own: german, language: 'de' }, record)
    expect([...stale(english)]).toEqual([])
    const other = toRecord(
      { english: changed, own: german, language: 'de' },
      record,
      (key) => key !== 'a:title',
    )
    expect(other).toEqual(record)
    expect([...stale(changed)]).toEqual([['a:title', 'The chats of {{name}}']])
  })
})
