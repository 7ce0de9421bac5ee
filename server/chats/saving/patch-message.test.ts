import { expect, it } from 'vitest'
import { patchMessage } from './patch-message.ts'
import type { MessageRow } from '../chat-rows.ts'

const ROW: MessageRow = {
  seq: 1,
  chat_id: 'chat',
  id: 'a1',
  parent_id: null,
  role: 'assistant',
  model: 'm',
  done: null,
  running: 1,
  timestamp: 1,
  content: '',
  parts: null,
  reasoning_content: null,
  extra: '{}',
}
const OUTPUT = [{ type: 'message', content: [{ type: 'output_text', text: 'Some "words"' }] }]

it('takes a field whose JSON was written beforehand as if it wrote it', () => {
  const written = { output: JSON.stringify(OUTPUT) }
  for (const extra of ['{}', '{"output":[],"modelName":"M"}', '{"usage":{"a":1}}']) {
    for (const more of [{}, { usage: { total: 2 } }, { error: null, sources: [1] }]) {
      const row = { ...ROW, extra }
      const patch = { content: 'Some', done: true, output: OUTPUT, ...more } as never
      const [plain, quick] = [patchMessage(row, patch), patchMessage(row, patch, written)]
      expect(JSON.parse(quick.extra)).toEqual(JSON.parse(plain.extra))
      expect({ ...quick, extra: '' }).toEqual({ ...plain, extra: '' })
    }
  }
})
