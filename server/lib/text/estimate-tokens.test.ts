import { expect, it } from 'vitest'
import { estimateTokens } from './estimate-tokens.ts'

const tokensOf = (content: string): number => estimateTokens({ messages: [{ content }] })

it('counts a token for four bytes, and some for the message', () => {
  expect(tokensOf('x'.repeat(400))).toBe(104)
  expect(tokensOf('é'.repeat(400))).toBe(204)
})

it('tells of a very long text what pieces all over it tell', () => {
  const million = 1024 * 1024
  expect(tokensOf('x'.repeat(20 * million))).toBe(5 * million + 4)
  const halves = tokensOf('x'.repeat(10 * million) + 'é'.repeat(10 * million))
  expect(halves).toBeGreaterThan(7.4 * million)
  expect(halves).toBeLessThan(7.6 * million)
})
