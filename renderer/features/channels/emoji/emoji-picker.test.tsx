// @vitest-environment jsdom
import '../../../testing/browser-features.ts'
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import i18next from 'i18next'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { findEmoji, listEmoji } from './emoji-list.ts'
import { EmojiPicker, step } from './emoji-picker.tsx'
import { noteEmoji, recentEmoji } from './recent-emoji.ts'

beforeEach(() => localStorage.clear())
afterEach(cleanup)

it('holds every sign people know, each with a name and in one group', () => {
  const signs = listEmoji().flatMap(([, emoji]) => emoji.map(({ sign }) => sign))
  expect(signs.length).toBeGreaterThan(1500)
  expect(new Set(signs).size).toBe(signs.length)
  expect(findEmoji('rocket')[0]).toEqual({ sign: '🚀', name: 'rocket' })
  expect(findEmoji('thumbs up')[0]?.sign).toBe('👍')
  expect(findEmoji('nothing is called that')).toEqual([])
})

it('is found by its name in the language of the interface, and by the English one', async () => {
  i18next.addResourceBundle('de', 'translation', { emoji: { '🚀': 'Rakete' } }, true, true)
  await i18next.changeLanguage('de')
  try {
    expect(findEmoji('rakete')[0]).toEqual({ sign: '🚀', name: 'Rakete' })
    expect(findEmoji('rocket')[0]).toEqual({ sign: '🚀', name: 'Rakete' })
    expect(findEmoji('baguette')[0]?.name).toBe('baguette bread')
  } finally {
    await i18next.changeLanguage('en')
  }
})

it('arrows lead along rows of eight and across groups', () => {
  const counts = [10, 0, 20]
  const from = (section: number, index: number, key: string) =>
    step(counts, { section, index }, key)
  expect(from(0, 0, 'ArrowRight')).toEqual({ section: 0, index: 1 })
  expect(from(0, 9, 'ArrowRight')).toEqual({ section: 2, index: 0 })
  expect(from(2, 0, 'ArrowLeft')).toEqual({ section: 0, index: 9 })
  expect(from(0, 0, 'ArrowLeft')).toEqual({ section: 0, index: 0 })
  expect(from(0, 1, 'ArrowDown')).toEqual({ section: 0, index: 9 })
  expect(from(0, 5, 'ArrowDown')).toEqual({ section: 0, index: 9 })
  expect(from(0, 9, 'ArrowDown')).toEqual({ section: 2, index: 1 })
  expect(from(2, 1, 'ArrowUp')).toEqual({ section: 0, index: 9 })
  expect(from(2, 19, 'ArrowDown')).toEqual({ section: 2, index: 19 })
})

it('what was used comes first the next time', () => {
  expect(recentEmoji()[0]).toBe('👍')
  noteEmoji('🥖')
  noteEmoji('🥖')
  expect(recentEmoji().slice(0, 2)).toEqual(['🥖', '👍'])
  localStorage.setItem('recent-emoji', '{broken')
  expect(recentEmoji()[0]).toBe('👍')
})

it('a sign is found by its name and chosen with Enter, without a mouse', () => {
  const choose = vi.fn()
  render(<EmojiPicker onChoose={choose} />)
  const box = screen.getByRole('combobox', { name: 'Search emoji' })
  fireEvent.change(box, { target: { value: 'baguette' } })
  expect(box.getAttribute('aria-activedescendant')).toBe(
    screen.getByRole('option', { name: 'baguette bread' }).id,
  )
  fireEvent.keyDown(box, { key: 'Enter' })
  expect(choose).toHaveBeenCalledExactlyOnceWith('🥖')
})
