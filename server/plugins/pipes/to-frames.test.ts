import { expect, test } from 'vitest'
import { chatCompletionChunkSchema } from '#contract/completions.ts'
import { createFrameMaker } from './to-frames.ts'

const ignore = (): void => undefined

test.each([
  [{ choices: [{ delta: { content: 'text' } }] }, 'text'],
  [{ choices: [{ delta: { content: 7 } }] }, '7'],
  [{ choices: [{ delta: { content: { degrees: 7 } } }] }, '{"degrees":7}'],
  [{ choices: [{ message: { role: 'assistant', content: 'whole' }, finish_reason: 'stop' }], usage: { total_tokens: 3 } }, 'whole'],
  [
    {
      id: 7,
      created: 'now',
      model: null,
      choices: [{ index: 'x', delta: { role: 1, content: 'odd', tool_calls: 'none' } }],
      usage: 'much',
    },
    'odd',
  ],
])('%j becomes a chunk that fits the schema', (json, text) => {
  const [frame] = createFrameMaker({ model: 'pipe', tell: ignore }).item({ json })
  const chunk = chatCompletionChunkSchema.parse(frame)
  expect(chunk.choices[0]!.delta.content).toBe(text)
  expect(chunk).toMatchObject({ object: 'chat.completion.chunk', model: 'pipe' })
})

test('a choice that ends the answer is not followed by another end', () => {
  const maker = createFrameMaker({ model: 'pipe', tell: ignore })
  maker.item({ json: { choices: [{ delta: {}, finish_reason: 'length' }] } })
  expect(maker.end({ form: 'none' })).toEqual([])
  expect(createFrameMaker({ model: 'pipe', tell: ignore }).end({ form: 'none' })).toMatchObject([{ choices: [{ finish_reason: 'stop' }] }])
})
