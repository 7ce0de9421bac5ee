import { expect, test, vi } from 'vitest'
import { checkSpelling, chooseWordLists } from './spell-check.ts'

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
