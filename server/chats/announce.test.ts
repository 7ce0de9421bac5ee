import { expect, it } from 'vitest'
import { Announce } from './announce.ts'
import { renderMessage } from './reading/render-chat.ts'
import type { MessageRow } from './chat-rows.ts'

const ROW: MessageRow = {
  seq: 1,
  chat_id: 'chat',
  id: 'q1',
  parent_id: null,
  role: 'user',
  model: null,
  done: null,
  running: 0,
  timestamp: 1,
  content: 'Where "to"?',
  parts: null,
  reasoning_content: null,
  extra: '{}',
}

it('tells of a new message as the chat shows it', () => {
  const told: unknown[] = []
  const announce = new Announce({ emit: (_userId, event) => void told.push(event.data.data) })
  const rows: MessageRow[] = [
    ROW,
    { ...ROW, model: 'm', done: 1, reasoning_content: 'Because', extra: '{"files":[1]}' },
    { ...ROW, content: '', reasoning_content: '' },
    { ...ROW, content: 'text', parts: '[{"type":"text","text":"text"}]' },
  ]
  for (const row of rows) {
    told.length = 0
    announce.messagesCreated({ id: 'chat', user_id: 'owner' }, [row])
    expect(JSON.stringify(told)).toBe(`[{"message":${renderMessage(row, '')}}]`)
  }
})
