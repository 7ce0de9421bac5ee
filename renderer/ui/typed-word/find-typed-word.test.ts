import { describe, expect, it } from 'vitest'
import { findTypedWord, replaceTypedWord } from './find-typed-word.ts'

describe('a mark in the message box', () => {
  it('begins a word at the start and after a space or a line break', () => {
    expect(findTypedWord('/tra', 4, '/')).toEqual({ start: 0, end: 4, word: 'tra' })
    expect(findTypedWord('Please /', 8, '/')).toEqual({ start: 7, end: 8, word: '' })
    expect(findTypedWord('a\n/über', 7, '/')).toMatchObject({ word: 'über' })
    expect(findTypedWord('Look at #lea', 12, '#')).toEqual({ start: 8, end: 12, word: 'lea' })
  })

  it('means nothing inside of a word, an address or behind the caret', () => {
    expect(findTypedWord('and/or', 6, '/')).toBeNull()
    expect(findTypedWord('https://x', 9, '/')).toBeNull()
    expect(findTypedWord('/home/me', 8, '/')).toBeNull()
    expect(findTypedWord('/one two', 8, '/')).toBeNull()
    expect(findTypedWord('C#7', 3, '#')).toBeNull()
    expect(findTypedWord('## Heading', 10, '#')).toBeNull()
  })

  it('gives its place to a piece', () => {
    const typed = findTypedWord('Hi /sum there', 7, '/')!
    expect(replaceTypedWord('Hi /sum there', typed, 'Summarise:')).toEqual({
      text: 'Hi Summarise: there',
      caret: 13,
    })
  })
})
