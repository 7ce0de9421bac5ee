import { expect, it } from 'vitest'
import type { ReadPassage } from '../../../ui/sources/read-sources.ts'
import { findCited } from './find-cited.ts'

const passage = (text: string, fields: Partial<ReadPassage> = {}): ReadPassage => ({
  text,
  page: null,
  pageLabel: null,
  heading: [],
  start: 0,
  end: text.length,
  score: null,
  ...fields,
})

const RENT = 'The rent is 1,450 a month. It is due on the third working day.'
const NOTICE = 'Either side may end the lease with three months of notice. The oven stays.'

it('marks the sentence that is meant, in the passage it stands in', () => {
  const passages = [passage(RENT, { page: 1 }), passage(NOTICE, { page: 7, start: 900, end: 974 })]
  expect(findCited(passages, null, ['The notice is three months'])).toEqual({
    passage: 1,
    place: {
      text: 'Either side may end the lease with three months of notice.',
      page: 7,
      start: 900,
      end: 958,
    },
  })
})

it('a passage somebody stepped to is shown, whatever others say', () => {
  const passages = [passage(RENT), passage(NOTICE)]
  const { passage: shown, place } = findCited(passages, 0, ['The notice is three months'])
  expect([shown, place?.text]).toEqual([0, RENT])
})

it('goes by the question where the answer says it in other words', () => {
  expect(findCited([passage(NOTICE)], null, ['Laut Vertrag', 'Does the oven stay?']).place).toEqual(
    {
      text: 'The oven stays.',
      page: null,
      start: 59,
      end: 74,
    },
  )
})

it('counts from the document, not from the words put before a passage', () => {
  const table = passage('| Item | Sum |\n| Flour | 20 |', { start: 500, end: 514 })
  const place = findCited([table], null, ['Flour costs 20']).place
  expect(place).toEqual({ text: '| Flour | 20 |', page: null, start: 500, end: 514 })
  expect(findCited([table], null, ['Item and Sum']).place).toMatchObject({
    text: '| Item | Sum |',
    start: null,
  })
})

it('marks a short passage whole, and of a whole document nothing, when nothing fits', () => {
  expect(findCited([passage(NOTICE)], null, ['Quanten']).place?.text).toBe(NOTICE)
  expect(findCited([passage(NOTICE.repeat(100))], null, ['Quanten']).place).toBeNull()
  expect(findCited([], null, ['anything'])).toEqual({ passage: 0, place: null })
})
