import { expect, it } from 'vitest'
import { fromContent, mentionsModel, toContent, toPlainText } from './mentions.ts'

const ada = { kind: '@U', id: 'u1', name: 'Ada' } as const
const lovelace = { kind: '@U', id: 'u2', name: 'Ada Lovelace' } as const
const model = { kind: '@M', id: 'maker/model:8b', name: 'Aurora' } as const

it('who was chosen is mentioned in place of their name, the longest name first', () => {
  expect(toContent('@Ada Lovelace, ask @Ada and @Aurora!', [ada, lovelace, model])).toBe(
    '<@U:u2|Ada Lovelace>, ask <@U:u1|Ada> and <@M:maker/model:8b|Aurora>!',
  )
})

it('a name inside of a word or an address mentions nobody', () => {
  expect(toContent('mail@Ada and @Adas', [ada])).toBe('mail@Ada and @Adas')
  expect(toContent('@Ada', [])).toBe('@Ada')
})

it('a name cannot end its mention', () => {
  expect(toContent('@Mr  x  y', [{ kind: '@U', id: 'u3', name: 'Mr <x> y' }])).toBe(
    '<@U:u3|Mr  x  y>',
  )
})

it('a message is changed as it was written, and keeps whom it mentions', () => {
  const content = 'Hi <@U:u2|Ada Lovelace>, see <#C:c1|support>'
  const { text, mentions } = fromContent(content)
  expect(text).toBe('Hi @Ada Lovelace, see #support')
  expect(toContent(text, mentions)).toBe(content)
})

it('an excerpt is one line without markdown', () => {
  expect(toPlainText('# Plan\n\n- **one** `two`\n1. <@U:u1|Ada>')).toBe('Plan one two @Ada')
})

it('tells whether a model is asked', () => {
  expect(mentionsModel('<@M:a|A> hello')).toBe(true)
  expect(mentionsModel('<@U:a|A> hello')).toBe(false)
})
