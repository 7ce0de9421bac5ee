import { expect, test } from 'vitest'
import { makePassword } from './make-password.ts'

test('a made password can be read out: four groups of letters and digits nobody mistakes', () => {
  const made = Array.from({ length: 200 }, makePassword)
  for (const password of made)
    expect(password).toMatch(/^([a-hj-km-np-zA-HJ-NP-Z2-9]{4}-){3}[a-hj-km-np-zA-HJ-NP-Z2-9]{4}$/)
  expect(new Set(made).size).toBe(made.length)
})
