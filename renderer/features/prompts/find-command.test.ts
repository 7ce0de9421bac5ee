import { describe, expect, it } from 'vitest'
import { samplePrompt } from '../../testing/samples.ts'
import { findCommand, rankPrompts, replaceCommand, toSlash } from './find-command.ts'

describe('a slash in the message box', () => {
  it('begins a command at the start and after a space or a line break', () => {
    expect(findCommand('/tra', 4)).toEqual({ start: 0, end: 4, word: 'tra' })
    expect(findCommand('Please /', 8)).toEqual({ start: 7, end: 8, word: '' })
    expect(findCommand('a\n/über', 7)).toMatchObject({ word: 'über' })
  })

  it('is no command inside of a word, an address or behind the caret', () => {
    expect(findCommand('and/or', 6)).toBeNull()
    expect(findCommand('https://x', 9)).toBeNull()
    expect(findCommand('/home/me', 8)).toBeNull()
    expect(findCommand('/one two', 8)).toBeNull()
  })

  it('gives its place to the prompt', () => {
    const typed = findCommand('Hi /sum there', 7)!
    expect(replaceCommand('Hi /sum there', typed, 'Summarise:')).toEqual({ text: 'Hi Summarise: there', caret: 13 })
  })

  it('finds prompts by command before those by name, and none that is switched off', () => {
    const prompts = [
      samplePrompt({ id: '1', command: 'letter', name: 'Translate a letter' }),
      samplePrompt({ id: '2', command: '/translate', name: 'Other' }),
      samplePrompt({ id: '3', command: 'trade', is_active: false }),
    ]
    expect(rankPrompts(prompts, 'tra').map(({ id }) => id)).toEqual(['2', '1'])
    expect(rankPrompts(prompts, 'zzz')).toEqual([])
    expect([toSlash('a'), toSlash('/a')]).toEqual(['/a', '/a'])
  })
})
