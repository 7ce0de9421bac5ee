import { expect, test } from 'vitest'
import { layOutPage, type PlacedText } from './pdf-layout.ts'

/** Returns text ten units high whose letters are five units wide. */
const at = (x: number, y: number, text: string): PlacedText => ({
  text,
  x,
  y,
  width: text.length * 5,
  height: 10,
})

test('a word divided at the end of a line is joined, a dash between words stays', () => {
  expect(
    layOutPage([
      at(0, 100, 'the har-'),
      at(0, 88, 'bour and'),
      at(0, 76, 'North-'),
      at(0, 64, 'South'),
    ]),
  ).toBe('the harbour and\nNorth-\nSouth')
})

test('a wide gap between lines begins a paragraph', () => {
  expect(layOutPage([at(0, 100, 'one'), at(0, 88, 'two'), at(0, 60, 'three')])).toBe(
    'one\ntwo\n\nthree',
  )
})

test('pieces of a line are words of their own only where there is a gap', () => {
  expect(layOutPage([at(0, 100, 'Ha'), at(10, 100, 'fen'), at(29, 100, 'offen')])).toBe(
    'Hafen offen',
  )
  expect(layOutPage([at(0, 100, '港は'), at(13, 100, '開く')])).toBe('港は開く')
})

test('columns of a newspaper are read one after the other', () => {
  const left = [at(0, 100, 'left one'), at(0, 88, 'left two')]
  const right = [at(300, 100, 'right one'), at(300, 88, 'right two')]
  expect(layOutPage([...left, ...right])).toBe('left one\nleft two\nright one\nright two')
})

test('rows of a table keep their columns where cells stand close', () => {
  const rows = [
    [at(0, 100, 'Month'), at(60, 100, 'Ships'), at(120, 100, 'Tonnes')],
    [at(0, 88, 'December x'), at(60, 88, '310'), at(120, 88, '18 | 2')],
  ]
  expect(layOutPage(rows.flat())).toBe(
    '| Month | Ships | Tonnes |\n| --- | --- | --- |\n| December x | 310 | 18 \\| 2 |',
  )
})
