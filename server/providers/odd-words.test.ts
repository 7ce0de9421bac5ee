import { expect, test } from 'vitest'
import { mergeDetails } from './upstream/merge-details.ts'
import { toFinishReason } from './messages/convert-answer.ts'

test('A stop reason named like a member of every object is an unknown one', () => {
  for (const reason of ['__proto__', 'constructor', 'toString'])
    expect(toFinishReason(reason)).toBe('stop')
})

test('Pieces of reasoning keep a field named __proto__ as a field', () => {
  const piece = JSON.parse(
    '{"type": "reasoning.text", "text": "a", "__proto__": {"type": "other"}}',
  ) as Record<string, unknown>
  const details: Record<string, unknown>[] = []
  mergeDetails(details, [{ type: 'reasoning.text', text: 'b' }])
  mergeDetails(details, [piece])
  expect(JSON.stringify(details)).toBe(
    '[{"type":"reasoning.text","text":"ba","__proto__":{"type":"other"}}]',
  )
})
