// @vitest-environment jsdom
import '../../../lib/strings/doctor.ts'
import { cleanup, render, screen } from '@testing-library/react'
import i18next from 'i18next'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { setLanguage } from '../../../lib/i18n.ts'
import { FindingSentence } from './finding-sentence.tsx'

beforeEach(async () => {
  await setLanguage('en')
  const doctor = {
    sentences: {
      portClosed: 'Auf Port {{port}} von {{host}} läuft nichts.',
      keyAccepted: 'Der Server nimmt den Schlüssel an.',
    },
  }
  i18next.addResourceBundle('de', 'translation', { doctor }, true, true)
  await i18next.changeLanguage('de')
})
afterEach(async () => {
  cleanup()
  await i18next.changeLanguage('en')
})

it('a finding is said in the language of the interface, with its values', () => {
  render(<FindingSentence text="The server takes the key." />)
  render(<FindingSentence text="box.lan is there, but nothing listens on port 8080." />)
  expect(screen.getByText('Der Server nimmt den Schlüssel an.').lang).toBe('')
  screen.getByText('Auf Port 8080 von box.lan läuft nichts.')
})

it('a finding of a newer gateway stays in English, and is marked as such', () => {
  render(<FindingSentence text="The moon is full." />)
  expect(screen.getByText('The moon is full.').lang).toBe('en')
})

it('in English a finding reads as the gateway said it', async () => {
  await i18next.changeLanguage('en')
  render(<FindingSentence text="There is no host named a {{b}} c." />)
  expect(screen.getByText('There is no host named a {{b}} c.').lang).toBe('')
})
