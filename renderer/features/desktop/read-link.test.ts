import { expect, test } from 'vitest'
import { readLink } from './read-link.ts'

const read = (asked: unknown) => readLink(JSON.stringify(asked))

test('what the desktop app has read is taken as it is', () => {
  for (const link of [
    { kind: 'chat', chatId: '0b6a-7' },
    { kind: 'ask', text: 'Why?', model: null },
    { kind: 'ask', text: 'Why?', model: 'qwen3:8b' },
    { kind: 'tool-server', name: 'memory', config: { command: 'npx', args: ['-y', 'a'] } },
    { kind: 'refused', reason: 'long' },
  ])
    expect(read(link)).toEqual(link)
})

test('an address written by somebody else shows that it cannot be read', () => {
  const unreadable = { kind: 'refused', reason: 'unreadable' }
  for (const asked of ['', '{', 'null', '[]', '"x"', '1'])
    expect(readLink(asked)).toEqual(unreadable)
  for (const asked of [
    { kind: 'chat', chatId: '../settings' },
    { kind: 'chat' },
    { kind: 'ask', text: '' },
    { kind: 'ask', text: 'a'.repeat(9_000) },
    { kind: 'tool-server', name: 'm', config: ['a'] },
    { kind: 'refused', reason: 'toString' },
    { kind: 'constructor' },
  ])
    expect(read(asked)).toEqual(unreadable)
})
