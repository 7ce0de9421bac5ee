import { expect, test, vi } from 'vitest'
import {
  checkSpelling,
  checkSpellingIfAllowed,
  chooseWordLists,
  withholdWordLists,
} from './spell-check.ts'

const AVAILABLE = ['de', 'en-AU', 'en-GB', 'en-US', 'es', 'es-MX', 'fr', 'pt-BR', 'pt-PT']

test('the word list follows the language, and its country where there is one for it', () => {
  expect(chooseWordLists('en', AVAILABLE)).toEqual(['en-US'])
  expect(chooseWordLists('en-gb', AVAILABLE)).toEqual(['en-GB'])
  expect(chooseWordLists('de-AT', AVAILABLE)).toEqual(['de'])
  expect(chooseWordLists('pt-BR', AVAILABLE)).toEqual(['pt-BR'])
  expect(chooseWordLists('ja', AVAILABLE)).toEqual([])
})

function setUp() {
  return {
    availableSpellCheckerLanguages: AVAILABLE,
    setSpellCheckerDictionaryDownloadURL: vi.fn(),
    setSpellCheckerEnabled: vi.fn(),
    setSpellCheckerLanguages: vi.fn(),
  }
}

test('spelling is checked when it is on and there is a word list', () => {
  const session = setUp()
  checkSpelling(session, { isOn: true, language: 'de', platform: 'linux' })
  expect(session.setSpellCheckerEnabled).toHaveBeenLastCalledWith(true)
  expect(session.setSpellCheckerLanguages).toHaveBeenCalledExactlyOnceWith(['de'])
  checkSpelling(session, { isOn: true, language: 'ja', platform: 'linux' })
  expect(session.setSpellCheckerEnabled).toHaveBeenLastCalledWith(false)
})

test('a word list has an address only while spelling is checked', () => {
  const session = setUp()
  const address = () => session.setSpellCheckerDictionaryDownloadURL.mock.lastCall?.[0] as string
  withholdWordLists(session)
  expect(new URL(address()).hostname).toBe('127.0.0.1')
  checkSpelling(session, { isOn: true, language: 'de', platform: 'linux' })
  expect(address()).toMatch(/^https:/)
  checkSpelling(session, { isOn: false, language: 'de', platform: 'linux' })
  expect(new URL(address()).hostname).toBe('127.0.0.1')
})

test('switched off, no word list is named, so none is fetched', () => {
  const session = setUp()
  checkSpelling(session, { isOn: false, language: 'de', platform: 'linux' })
  expect(session.setSpellCheckerEnabled).toHaveBeenCalledExactlyOnceWith(false)
  expect(session.setSpellCheckerLanguages).not.toHaveBeenCalled()
})

test('macOS chooses the language itself', () => {
  const session = setUp()
  checkSpelling(session, { isOn: true, language: 'ja', platform: 'darwin' })
  expect(session.setSpellCheckerEnabled).toHaveBeenCalledExactlyOnceWith(true)
  expect(session.setSpellCheckerLanguages).not.toHaveBeenCalled()
})

test.each([
  ['allowed', async () => true, true],
  ['refused, as by sealed mode', async () => false, false],
  ['not answered, as while the gateway starts', () => Promise.reject(new Error('away')), false],
])('a word list that is downloaded is waited for: %s', async (_, mayLeave, isOn) => {
  const session = setUp()
  const choice = { isOn: true, language: 'de', platform: 'linux' } as const
  const checked = checkSpellingIfAllowed(session, () => choice, mayLeave)
  expect(session.setSpellCheckerEnabled.mock.calls).toEqual([[false]])
  await checked
  expect(session.setSpellCheckerEnabled).toHaveBeenLastCalledWith(isOn)
  expect(session.setSpellCheckerLanguages).toHaveBeenCalledTimes(isOn ? 1 : 0)
})

test('nothing is asked for where the system has the word lists', async () => {
  const session = setUp()
  const mayLeave = vi.fn(async () => false)
  const choice = { isOn: true, language: 'de', platform: 'win32' } as const
  await checkSpellingIfAllowed(session, () => choice, mayLeave)
  expect(mayLeave).not.toHaveBeenCalled()
  expect(session.setSpellCheckerEnabled).toHaveBeenCalledExactlyOnceWith(true)
})
