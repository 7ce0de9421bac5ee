// @vitest-environment jsdom
import { expect, test } from 'vitest'
import { readTable, toCsv, toTabbed } from './table-text.ts'

const draw = (rows: readonly (readonly string[])[]): HTMLTableElement => {
  const table = document.createElement('table')
  for (const cells of rows) {
    const row = table.insertRow()
    for (const cell of cells) row.insertCell().textContent = cell
  }
  return table
}

test('a table becomes comma-separated values that give back every cell', () => {
  const rows = [
    ['When', 'What'],
    ['9:30, then 10:00', 'Say "fold"\ntwice'],
  ]
  expect(readTable(draw(rows))).toEqual(rows)
  expect(toCsv(rows)).toBe('When,What\r\n"9:30, then 10:00","Say ""fold""\ntwice"\r\n')
})

test('a cell never breaks the rows of a copied table', () => {
  expect(toTabbed([['a\tb', 'c\nd']])).toBe('a b\tc d')
})
