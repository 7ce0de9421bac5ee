import { expect, test } from 'vitest'
import { choose, groupEvents, toChosen, toFilters } from './event-filters.ts'

const CATALOGUE = [
  'system.startup.completed',
  'chat.created',
  'chat.deleted',
  'knowledge.created',
  'knowledge.file.added',
  'whale.sung',
]

test('events stand by what they are about, unknown kinds last', () => {
  expect(groupEvents(CATALOGUE).map(({ resource, events }) => [resource, events.length])).toEqual([
    ['chat', 2],
    ['knowledge', 2],
    ['system', 1],
    ['whale', 1],
  ])
})

test('what filters name is chosen, and written down again as shortly as it can be', () => {
  expect(toChosen(['*'], CATALOGUE).size).toBe(CATALOGUE.length)
  const chosen = toChosen(['chat.*', 'knowledge.file.*', 'gone.*'], CATALOGUE)
  expect([...chosen]).toEqual(['chat.created', 'chat.deleted', 'knowledge.file.added'])
  expect(toFilters(chosen, CATALOGUE)).toEqual(['chat.*', 'knowledge.file.added'])
  const fewer = choose(chosen, ['chat.created'], false)
  expect(toFilters(fewer, CATALOGUE)).toEqual(['chat.deleted', 'knowledge.file.added'])
  expect(toFilters(choose(fewer, ['knowledge.created'], true), CATALOGUE)).toEqual([
    'chat.deleted',
    'knowledge.*',
  ])
  expect(chosen.has('chat.created')).toBe(true)
})
