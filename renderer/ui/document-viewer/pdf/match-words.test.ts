import { expect, test } from 'vitest'
import { matchWords } from './match-words.ts'

const cut = (page: string, quote: string): string[] =>
  matchWords(page, quote).map(({ start, end }) => page.slice(start, end))

test('finds a passage whose spaces, lines and marks differ', () => {
  const page =
    'Lease of the bakery\nEither side may end the\nlease with three months of no-\ntice to the end of a quarter.\nKeys are returned.'
  const quote =
    '## Notice\n\nEither side may end the **lease** with three months of notice to the end of a quarter.'
  expect(cut(page, quote)).toEqual([
    'Either side may end the\nlease with three months of no-\ntice to the end of a quarter',
  ])
})

test('leaves out what shares only a few words with the passage', () => {
  const page =
    'At the end of a long day. One. Two. Three. Four. Five. Six. Seven. The rent falls due at the end of every single month of the year without further notice.'
  expect(
    cut(
      page,
      'The rent falls due at the end of every single month of the year without further notice.',
    ),
  ).toEqual([
    'The rent falls due at the end of every single month of the year without further notice',
  ])
})

test('marks the part of a passage that stands on this page', () => {
  const page =
    'Chapter two goes on here with the second half of the sentence. Then something else follows.'
  expect(
    cut(
      page,
      'The first half of it stood before, goes on here with the second half of the sentence.',
    ),
  ).toEqual(['goes on here with the second half of the sentence'])
})

test('compares composed letters, widths and cases alike', () => {
  expect(cut('Der CAFE\u0301 \uff41\uff42\uff43 Preis', 'der café abc preis')).toEqual([
    'Der CAFE\u0301 \uff41\uff42\uff43 Preis',
  ])
})

test('finds text without spaces between words', () => {
  expect(cut('前の文。租金在每月第三天支付。後の文。', '租金在每月第三天支付')).toEqual([
    '租金在每月第三天支付',
  ])
})

test('finds a single word, and nothing that is not there', () => {
  expect(cut('The rent is due.', 'rent')).toEqual(['rent'])
  expect(cut('The rent is due.', 'An entirely different sentence')).toEqual([])
  expect(cut('The rent is due.', ' — ')).toEqual([])
  expect(cut('', 'rent')).toEqual([])
})

test('finds a passage in a long page that repeats its words', () => {
  const page = 'word and more words of a page '.repeat(20_000)
  expect(matchWords(page, 'and more words of a page word and more words').length).toBe(1)
})
