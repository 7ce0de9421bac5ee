import { expect, it } from 'vitest'
import { explainMissing } from './explain-missing.ts'

const MODELS = ['gpt-5-mini', 'gpt-5', 'claude-sonnet-4', 'llama3.2:latest', 'vendor/gpt-5']

it.each([
  ['gpt-5-mni', ['gpt-5-mini', 'gpt-5']],
  ['GPT-5', ['gpt-5', 'gpt-5-mini', 'vendor/gpt-5']],
  ['claude-sonnet-4-20250514', ['claude-sonnet-4']],
  ['lama3.2', ['llama3.2:latest']],
  ['something else', []],
])('offers for %s the nearest models', (id, near) => {
  const offer = near.length > 0 ? ` You may use ${near.map((each) => `"${each}"`).join(', ')}.` : ''
  expect(explainMissing(id, MODELS)).toBe(`Model not found: "${id}".${offer}`)
})

it('shows the beginning of a long id only', () => {
  expect(explainMissing('x'.repeat(5000), MODELS)).toBe(`Model not found: "${'x'.repeat(100)}…".`)
})
