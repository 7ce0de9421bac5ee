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

test('no cell of a downloaded table is a formula to a spreadsheet, and numbers stay numbers', () => {
  const formulas = ['=1+1', '+cmd', '-cmd', '@SUM(A1)', '=HYPERLINK("http://x","y")', '-2+3']
  expect(toCsv([formulas])).toBe(
    `'=1+1,'+cmd,'-cmd,'@SUM(A1),"'=HYPERLINK(""http://x"",""y"")",'-2+3\r\n`,
  )
  const plain = ['-5', '+3.5%', '-1,200.00', '- a point', 'a=b', '-', '−7', '-1e-9', '+49 30 123']
  expect(toCsv([plain])).toBe(`-5,+3.5%,"-1,200.00",'- a point,a=b,-,−7,-1e-9,+49 30 123\r\n`)
})
