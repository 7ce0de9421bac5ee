import { expect, test } from 'vitest'
import { drawFamily, drawProvider } from './mark-drawings.ts'
import { findMark } from './find-mark.ts'
import { PROVIDER_MARKS } from './mark-names.ts'

test.each([
  ['gpt-5-mini', 'openai'],
  ['openai/gpt-oss-120b', 'openai'],
  ['o3', 'openai'],
  ['claude-sonnet-4-5', 'claude'],
  ['models/gemini-2.5-pro', 'google'],
  ['gemma3:27b', 'gemma'],
  ['meta-llama/Llama-3.3-70B-Instruct', 'meta'],
  ['codellama:7b', 'meta'],
  ['mixtral-8x7b', 'mistral'],
  ['qwen3-coder', 'qwen'],
  ['deepseek-r1-distill-llama-70b', 'deepseek'],
  ['nvidia/llama-3.1-nemotron-70b', 'nvidia'],
  ['phi4-mini', 'microsoft'],
  ['grok-4', 'grok'],
  ['command-r-plus', 'cohere'],
  ['kimi-k2', 'moonshot'],
  ['glm-4.6', 'zai'],
])('“%s” belongs to %s', (id, name) => {
  expect(findMark(id)).toBe(name)
})

test.each(['aurora-small', 'ollama/helper', 'sapphire-1', 'pro3', 'delphi-2', 'guide'])(
  '“%s” names no family',
  (id) => {
    expect(findMark(id)).toBeNull()
    expect(drawFamily(id)).toBeNull()
  },
)

test('the model decides rather than who offers it', () => {
  expect(findMark('nvidia/mistral-nemo')).toBe('mistral')
  expect(findMark('mistralai/some-model')).toBe('mistral')
})

test('every mark that is named can be drawn', () => {
  for (const name of Object.keys(PROVIDER_MARKS)) {
    const paths = drawProvider(name)
    expect(paths?.length, name).toBeGreaterThan(0)
    for (const [path] of paths ?? []) expect(path, name).toMatch(/^[Mm]/)
  }
  expect(drawProvider('toString')).toBeNull()
})
