import { expect, it } from 'vitest'
import { NameFiller } from './template-names.ts'

const names = new Map([
  ['NAME', 'Ada'],
  ['EMPTY', ''],
  ['LONG', 'x'.repeat(1000)],
])
const fill = (text: string): string | Promise<string> => new NameFiller(names).fill(text)

it.each([
  ['Hello {{NAME}}, {{ NAME }}!', 'Hello Ada, Ada!'],
  ['{{EMPTY}}{{UNKNOWN}}{{NAME', '{{UNKNOWN}}{{NAME'],
  ['{{{NAME}}} {{{{NAME}}', '{Ada} {{Ada'],
  ['{{ not a name }} {{}} {{NAME}}', '{{ not a name }} {{}} Ada'],
  ['$& {{NAME}} $1', '$& Ada $1'],
  ['nothing', 'nothing'],
  ['', ''],
])('%j becomes %j', (text, filled) => {
  expect(fill(text)).toBe(filled)
})

it('a text with very many names is filled a slice at a time, others being served in between', async () => {
  let turns = 0
  let timer = setImmediate(function look() {
    turns += 1
    timer = setImmediate(look)
  })
  const tooLong = fill('{{NAME}} and {{LONG}}, {{x}} '.repeat(200_000))
  await expect(tooLong).rejects.toMatchObject({ status: 413 })
  const text = await new NameFiller(new Map([...names, ['LONG', 'x']])).fill(
    '{{NAME}} and {{LONG}}, {{x}} '.repeat(200_000),
  )
  expect(text).toBe('Ada and x, {{x}} '.repeat(200_000))
  clearImmediate(timer)
  expect(turns).toBeGreaterThan(3)
  expect(await new NameFiller(names).fill('{{NAME}} and {{LONG}}, {{x}} '.repeat(300))).toBe(
    `Ada and ${'x'.repeat(1000)}, {{x}} `.repeat(300),
  )
})

it('values are bounded for all texts of a request together', () => {
  const filler = new NameFiller(names, 2500)
  expect(filler.fill('{{LONG}}')).toHaveLength(1000)
  expect(filler.fill('{{LONG}}')).toHaveLength(1000)
  expect(() => filler.fill('{{LONG}}')).toThrow('64 million characters')
})
