import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { ClientFrame, PluginCall, ServerFrame } from '#contract/events.ts'
import { Dialogs } from './dialogs-store.ts'

const sent: ClientFrame[] = []
const send = vi.fn((frame: ClientFrame) => sent.push(frame) > 0)
beforeEach(() => {
  sent.length = 0
})

const call = (id: string, type: string, data: unknown): ServerFrame => toCall(id, { type, data })

/** A plugin may send any data. */
const toCall = (id: string, data: unknown): ServerFrame => ({
  type: 'call',
  call_id: id,
  chat_id: 'c1',
  message_id: 'm1',
  data: data as PluginCall,
})

describe('questions of plugins', () => {
  it('wait in the order they came and leave with their answer', () => {
    const dialogs = new Dialogs(send)
    dialogs.handleFrame(call('1', 'confirmation', { title: 'Sure?' }))
    dialogs.handleFrame(call('2', 'input', { title: 'Name' }))
    dialogs.handleFrame(call('3', 'tool:approval', { name: 'search' }))
    expect(dialogs.store.getState().questions.map(({ callId, kind }) => [callId, kind])).toEqual([
      ['1', 'confirmation'],
      ['2', 'input'],
      ['3', 'approval'],
    ])
    dialogs.answer('1', true)
    expect(sent).toEqual([{ type: 'call:result', call_id: '1', result: true }])
    expect(dialogs.store.getState().questions).toHaveLength(2)
  })

  it('a question nobody waits for any more goes away without an answer', () => {
    const dialogs = new Dialogs(send)
    dialogs.handleFrame(call('1', 'tool:approval', { name: 'search' }))
    dialogs.handleFrame(call('2', 'input', {}))
    dialogs.handleFrame({ type: 'call:cancel', call_id: '1' })
    expect(dialogs.store.getState().questions.map(({ callId }) => callId)).toEqual(['2'])
    expect(sent).toEqual([])
  })

  it('nobody waits any more once the line is lost', () => {
    const dialogs = new Dialogs(send)
    dialogs.handleFrame(call('1', 'confirmation', null))
    dialogs.forgetAll()
    expect(dialogs.store.getState().questions).toEqual([])
  })

  it('one that was taken back goes without an answer, and that is told once', () => {
    const expired = vi.fn()
    const dialogs = new Dialogs(send, expired)
    dialogs.handleFrame(call('1', 'confirmation', { title: 'Sure?' }))
    for (const call_id of ['1', '1', 'other']) dialogs.handleFrame({ type: 'call:cancel', call_id })
    expect([dialogs.store.getState().questions, sent]).toEqual([[], []])
    expect(expired.mock.calls).toMatchObject([[{ callId: '1' }]])
  })

  it('an unknown question is refused at once, so that the plugin does not wait', () => {
    new Dialogs(send).handleFrame(call('1', 'dance', {}))
    expect(sent).toMatchObject([{ type: 'call:error', call_id: '1' }])
  })

  it('other frames are no questions', () => {
    const dialogs = new Dialogs(send)
    dialogs.handleFrame({
      type: 'events',
      chat_id: 'c1',
      message_id: 'm1',
      data: { type: 'chat:tags', data: {} },
    })
    expect(dialogs.store.getState().questions).toEqual([])
  })
})
