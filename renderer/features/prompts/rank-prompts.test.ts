import { expect, it } from 'vitest'
import { samplePrompt } from '../../testing/samples.ts'
import { rankPrompts, toSlash } from './rank-prompts.ts'

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
