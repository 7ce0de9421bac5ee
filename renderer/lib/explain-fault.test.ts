// @vitest-environment jsdom
import i18next from 'i18next'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { explainFault, explainStatus, languageOfSentence } from './explain-fault.ts'
import { setLanguage } from './i18n.ts'

const GONE = 'There is no such note.'

beforeEach(async () => {
  await setLanguage('en')
  const errors = {
    codes: {
      busy: 'Zu viel los.',
      rate_limited: 'Zu viele Anfragen.',
      rate_limited_wait_one: 'Noch eine Sekunde.',
      rate_limited_wait_other: 'Noch {{count}} Sekunden.',
      not_found: 'Das gibt es nicht.',
    },
    sentences: {
      [GONE]: 'Diese Notiz gibt es nicht.',
      'The connection "{{name}}" is busy: {{reason}}': '„{{name}}“ ist ausgelastet: {{reason}}',
      'The connection "{{name}}" is busy: it answered with status {{status}}.':
        '„{{name}}“ ist ausgelastet (Status {{status}}).',
      'There can be {{most}} folders.': 'Höchstens {{most}} Ordner.',
    },
    statuses: {
      '{{name}} failed.': '{{name}} ist fehlgeschlagen.',
      '{{name}} is left out. {{reason}}': '{{name}} bleibt weg. {{reason}}',
    },
  }
  i18next.addResourceBundle('de', 'translation', { errors }, true, true)
  await i18next.changeLanguage('de')
})
afterEach(async () => {
  await i18next.changeLanguage('en')
})

it('a refusal is said by its sentence, else by its code, with the time to wait', () => {
  expect(explainFault({ detail: GONE, code: 'not_found' })).toBe('Diese Notiz gibt es nicht.')
  expect(explainFault({ detail: 'No.', code: 'not_found' })).toBe('Das gibt es nicht.')
  expect(explainFault({ detail: 'No.', code: 'rate_limited' })).toBe('Zu viele Anfragen.')
  expect(explainFault({ detail: 'No.', code: 'rate_limited', wait: 1 })).toBe('Noch eine Sekunde.')
  expect(explainFault({ detail: 'No.', code: 'rate_limited', wait: 9 })).toBe('Noch 9 Sekunden.')
  expect(explainFault({ detail: 'No.', code: 'busy', wait: 9 })).toBe('Zu viel los.')
})

it('names, numbers and limits of a refusal stand in its translation', () => {
  const explain = (detail: string): string => explainFault({ detail, code: 'busy' })
  expect(explain('There can be 500 folders.')).toBe('Höchstens 500 Ordner.')
  expect(explain('The connection "Mia\'s (old)" is busy: full.\nReally.')).toBe(
    "„Mia's (old)“ ist ausgelastet: full.\nReally.",
  )
  expect(explain('The connection "$& {{most}}" is busy: it answered with status 503.')).toBe(
    '„$& {{most}}“ ist ausgelastet (Status 503).',
  )
  expect(explain('There can be 500 folders. And more.')).toBe('Zu viel los.')
  expect(explain(`There can be ${'9'.repeat(1000)} folders.`)).toBe('Zu viel los.')
})

it('steps of an answer are said in the language, with their reason; those of plugins stay', () => {
  expect(explainStatus('weather failed.')).toBe('weather ist fehlgeschlagen.')
  expect(explainStatus(`a.pdf is left out. ${GONE}`)).toBe(
    'a.pdf bleibt weg. Diese Notiz gibt es nicht.',
  )
  expect(explainStatus('Asking the oracle…')).toBe('Asking the oracle…')
  expect(explainFault({ detail: 'weather failed.' })).toBe('weather failed.')
})

it('values keep their own direction in a sentence from right to left', async () => {
  const errors = { codes: {}, sentences: { 'Take {{name}}.': 'خذ {{name}}.' } }
  i18next.addResourceBundle('ar', 'translation', { errors }, true, true)
  await i18next.changeLanguage('ar')
  expect(explainFault({ detail: 'Take a/b.' })).toBe('خذ \u2068a/b\u2069.')
})

it('what has no translation stays as it was said, and is marked as English', () => {
  for (const code of ['teapot', 'toString', null]) {
    const detail = `The kettle ${String(code)} is empty.`
    expect(explainFault({ detail, code })).toBe(detail)
    expect(languageOfSentence(detail)).toBe('en')
  }
  expect(explainFault({ detail: 'constructor' })).toBe('constructor')
  expect(languageOfSentence(explainFault({ detail: 'x', code: 'busy' }))).toBeUndefined()
  expect(languageOfSentence(null)).toBeUndefined()
})

it('in English the gateway speaks for itself', async () => {
  await i18next.changeLanguage('en')
  expect(explainFault({ detail: 'It is busy here.', code: 'busy' })).toBe('It is busy here.')
  expect(languageOfSentence('It is busy here.')).toBeUndefined()
})
