// @vitest-environment jsdom
import { expect, it } from 'vitest'
import { findMessages, findRanges } from './find-messages.ts'
import { answer, question } from '../testing-chat.ts'

const messages = {
  q: question('q', { content: 'Where is the Needle?' }),
  a: answer('a', { content: 'in the hay' }),
}

it('messages are found whatever the case of the letters, and none by an empty text', () => {
  expect(findMessages(['q', 'a'], messages, ' needle')).toEqual(['q'])
  expect(findMessages(['q', 'a'], messages, 'the')).toEqual(['q', 'a'])
  expect(findMessages(['q', 'a'], messages, '  ')).toEqual([])
})

it('places are found over the borders of inner elements', () => {
  const root = document.createElement('p')
  root.append(
    'a nee',
    Object.assign(document.createElement('b'), { textContent: 'dle' }),
    ' and a NEEDLE',
  )
  expect(findRanges(root, 'needle').map(String)).toEqual(['needle', 'NEEDLE'])
  expect(findRanges(root, 'hay')).toEqual([])
})
