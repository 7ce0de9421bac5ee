import { runInNewContext } from 'node:vm'
import { expect, it } from 'vitest'
import { escapeWide } from './escape-wide-characters.ts'

const run = (code: string): unknown => runInNewContext(code)

it.each([
  ['a string', `"a … é 日本 😀"`],
  ['Latin letters', `"ß" + /[¡-¿×]/.test("×")`],
  ['a template', '`${1}…\\n😀`'],
  ['a wide character behind a backslash', String.raw`"\…\\…\\\…"`],
  ['the source of an expression', String.raw`[..."x…y😀".matchAll(/[…😀]/gu)].map(String).join()`],
])('keeps the meaning of %s', (_, code) => {
  const escaped = escapeWide(code)
  expect(escaped).toMatch(/^[\0-\x7f]*$/)
  expect(run(escaped)).toEqual(run(code))
})
