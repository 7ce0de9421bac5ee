import { expect, test } from 'vitest'
import { cleanToolText } from '#contract/openapi/clean-text.ts'
import { toToolName } from './tool-name.ts'

test('a name that fits stays as it is', () => {
  expect(toToolName('weather', 'get-forecast')).toBe('weather_get-forecast')
})

test('names that had to be changed stay different from each other', () => {
  const names = [
    'get forecast',
    'get.forecast',
    'get/forecast',
    '予報',
    '天気',
    'a'.repeat(65),
    'a'.repeat(66),
    '',
  ].map((name) => toToolName(name))
  expect(new Set(names).size).toBe(names.length)
  for (const name of names) expect(name).toMatch(/^[A-Za-z0-9_-]{1,64}$/)
})

test('what nobody sees is taken out of texts', () => {
  expect(cleanToolText('a\u200Bb\u202Ec\u001B[31md\u001B[0m\u{E0041}\te\n')).toBe('abcd\te\n')
})
