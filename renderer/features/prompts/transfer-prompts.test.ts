import { afterEach, expect, test, vi } from 'vitest'
import '../../lib/i18n.ts'
import { fakeGateway, refusal } from '../../testing/fake-gateway.ts'
import { samplePrompt } from '../../testing/samples.ts'
import { hasWords } from '../../lib/has-words.ts'
import { createPromptsStore, textOf } from './prompts-store.ts'
import { exportPrompts, importPrompts, parsePrompts } from './transfer-prompts.ts'

afterEach(() => vi.unstubAllGlobals())

test('exported prompts are read back, and those of other programs by their older names', () => {
  const prompt = samplePrompt({ tags: ['work'] })
  expect(parsePrompts(exportPrompts([prompt]))).toEqual([
    { command: 'letter', name: 'Letter', content: 'Write a letter.', tags: ['work'] },
  ])
  expect(parsePrompts('{"command":"/a","title":"A","content":"x"}')).toEqual([
    { command: '/a', name: 'A', content: 'x', tags: [] },
  ])
})

test('a file without prompts is refused with what to do', () => {
  for (const text of ['', '[]', '{"x":1}'])
    expect(() => parsePrompts(text)).toThrow('Choose a JSON file')
})

test('an import leaves out commands that are taken and says how many', async () => {
  fakeGateway({
    'POST /api/v1/prompts/create': ({ body }: { body: { command: string } }) =>
      body.command === 'taken' ? refusal(400, 'Taken.') : samplePrompt(body),
    'GET /api/v1/prompts/': [],
  })
  const rows = ['taken', 'free'].map((command) => ({ command, name: command, content: '' }))
  await expect(importPrompts(createPromptsStore(), JSON.stringify(rows))).resolves.toEqual({
    added: 1,
    skipped: 1,
  })
})

test('prompts are found by every word of command, name, text and tags', () => {
  expect(hasWords(textOf(samplePrompt({ tags: ['work'] })), 'write work')).toBe(true)
  expect(hasWords(textOf(samplePrompt({ tags: [] })), 'write work')).toBe(false)
})
