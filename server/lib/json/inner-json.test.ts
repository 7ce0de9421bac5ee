import { beforeEach, expect, test } from 'vitest'
import { boundInnerJson, InnerJson, readInnerJson } from './inner-json.ts'

const wide = (values: number): string => `[${'{},'.repeat(values)}0]`
const deep = (levels: number): string => `${'['.repeat(levels)}${']'.repeat(levels)}`
const refusal = expect.objectContaining({ status: 413, code: 'too_many_values' })

// The limits belong to the process, and a gateway of another test may have set others.
beforeEach(() => boundInnerJson({ values: 100_000, levels: 200 }))

test('JSON inside texts is read, and everything else is not', () => {
  const inner = new InnerJson()
  expect(inner.read('{"a":[1,null]}')).toEqual({ value: { a: [1, null] } })
  expect(inner.read('null')).toEqual({ value: null })
  for (const text of ['', 'plain', '{', `{${','.repeat(500)}`]) expect(inner.read(text)).toBeNull()
})

test('All texts of a request have one limit together', () => {
  const inner = new InnerJson()
  for (let count = 0; count < 9; count += 1) inner.read(wide(5000))
  expect(() => {
    for (let count = 0; count < 9; count += 1) inner.read(wide(5000))
  }).toThrow(refusal)
  expect(() => new InnerJson().read(wide(60_000))).toThrow(refusal)
  expect(() => new InnerJson().read(` \n${deep(300)}`)).toThrow(refusal)
})

test('A text of an answer beyond the limit counts as no JSON', () => {
  expect(readInnerJson('{"a":1}')).toEqual({ value: { a: 1 } })
  for (const text of ['plain', wide(60_000), deep(300)]) expect(readInnerJson(text)).toBeNull()
})

test('A long text with few values is read whatever its length', () => {
  const text = JSON.stringify({ code: 'if (a, b) {\n"x"\n}'.repeat(100_000) })
  expect(new InnerJson().read(text)).toEqual({ value: JSON.parse(text) })
})

test('The limits can be set', () => {
  boundInnerJson({ values: 50, levels: 10 })
  expect(() => new InnerJson().read(wide(60))).toThrow(
    'together it may have 50 values, and 10 levels',
  )
  expect(() => new InnerJson().read(deep(11))).toThrow(refusal)
  boundInnerJson({ values: 200_000, levels: 400 })
  expect(new InnerJson().read(deep(300))).not.toBeNull()
})
