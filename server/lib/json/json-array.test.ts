import { expect, it } from 'vitest'
import { toJsonArray, toTexts } from './json-array.ts'

it('leaves out what is not there, and gives a step for it', async () => {
  for (const values of [[undefined, 1, undefined, 2], [1, undefined], [undefined], []]) {
    const pieces = await Array.fromAsync(toJsonArray(toTexts(values)))
    expect(JSON.parse(pieces.join(''))).toEqual(values.filter((value) => value !== undefined))
    expect(pieces).toHaveLength(values.length + 2)
  }
})
