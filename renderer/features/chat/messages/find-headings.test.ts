import { expect, test } from 'vitest'
import { findHeadings } from './find-headings.ts'

test('headings are found in order with their level, without the marks of their text', () => {
  expect(
    findHeadings('# One\ntext\n## **Two** and `three`\n### [Four](https://x.example) ##'),
  ).toEqual([
    { level: 1, text: 'One' },
    { level: 2, text: 'Two and three' },
    { level: 3, text: 'Four' },
  ])
})

test('a line of code that begins with a number sign is no heading', () => {
  expect(
    findHeadings('```sh\n# a comment\n```\n# Real\n~~~~\n# no\n~~~\n# still no\n~~~~'),
  ).toEqual([{ level: 1, text: 'Real' }])
})
