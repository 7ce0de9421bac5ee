import { expect, test } from 'vitest'
import { splitTables } from './split-tables.ts'

test('tables within a text are found, and the words around them stay as they are', () => {
  const table = '| Month | Ships |\n| --- | ---: |\n| May | 310 |'
  expect(splitTables(`Ships\nby month\n\n${table}\n\nThe end.`)).toEqual([
    { kind: 'words', text: 'Ships\nby month\n' },
    { kind: 'table', text: table },
    { kind: 'words', text: '\nThe end.' },
  ])
})

test.each(['a | b\nc | d', '---\n---', '# include <x>\n* no list', '| alone |', ''])(
  'what only looks like one is none: %j',
  (text) => {
    expect(splitTables(text).filter(({ kind }) => kind === 'table')).toEqual([])
  },
)

test('a table may be the beginning, and rows without outer bars belong to it', () => {
  const table = 'a | b\n--- | ---\n1 | 2'
  expect(splitTables(table)).toEqual([{ kind: 'table', text: table }])
})
