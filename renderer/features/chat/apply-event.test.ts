import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { EventData } from '#contract/events.ts'
import { appendDelta, applyEvent, type ChatEvent } from './apply-event.ts'
import { createChatStore, type ChatState, withPage } from './chat-store.ts'
import { answer, page, question } from './testing-chat.ts'

const growing = answer('a', { parentId: 'q', content: '', done: false })
const opened: ChatState = withPage(
  createChatStore('chat').getState(),
  page([question('q', { childrenIds: ['a'] }), growing]),
)
const event = (type: string, data: unknown, messageId: string | null = 'a'): ChatEvent => ({
  message_id: messageId,
  data: { type, data } as EventData,
})
const delta = (content: string, offset?: number) => event('chat:message:delta', { content, offset })
const contentOf = (state: ChatState) => state.messages.a?.content

describe('deltas', () => {
  it('are appended where the text ends', () => {
    const state = [delta('Hel', 0), delta('lo', 3)].reduce(applyEvent, opened)
    expect(contentOf(state)).toBe('Hello')
    expect(state.isStale).toBe(false)
  })

  it('that repeat known text are skipped, and overlapping ones add only their new part', () => {
    const state = [delta('Hello', 0), delta('Hel', 0), delta('lo wor', 3), delta('ld', 9)].reduce(
      applyEvent,
      opened,
    )
    expect(contentOf(state)).toBe('Hello world')
  })

  it('after a gap leave the text alone and ask to read the branch again', () => {
    const state = [delta('Hel', 0), delta('world', 6)].reduce(applyEvent, opened)
    expect(contentOf(state)).toBe('Hel')
    expect(state.isStale).toBe(true)
  })

  it('without an offset come from outside tools and are appended', () => {
    expect(contentOf([delta('a'), delta('a')].reduce(applyEvent, opened))).toBe('aa')
  })

  it('of reasoning grow beside the answer', () => {
    const state = applyEvent(opened, event('chat:reasoning:delta', { content: 'Hm', offset: 0 }))
    expect(state.messages.a).toMatchObject({ content: '', reasoning_content: 'Hm' })
  })

  it('give the whole text however it was cut, repeated and overlapped', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', maxLength: 60 }),
        fc.array(fc.tuple(fc.nat(60), fc.nat(60))),
        (text, extra) => {
          let shown = ''
          for (const [back, length] of extra) {
            const from = Math.max(0, shown.length - back)
            shown = appendDelta(shown, text.slice(from, from + length), from) ?? shown
          }
          shown = appendDelta(shown, text, 0) ?? shown
          expect(shown).toBe(text)
        },
      ),
    )
  })
})

describe('other events of a message', () => {
  it('completion ends the answer with its text, usage and error', () => {
    const data = {
      done: true,
      content: 'All',
      usage: { output_tokens: 3 },
      error: { content: 'Cut off.' },
    }
    expect(applyEvent(opened, event('chat:completion', data)).messages.a).toMatchObject({
      done: true,
      content: 'All',
      error: { content: 'Cut off.' },
    })
  })

  it('a finished answer that is gone on with grows behind its text, without the error it ended with', () => {
    const error = { content: 'Stopped.', code: 'stopped' }
    const ended = applyEvent(
      opened,
      event('chat:completion', { done: true, content: 'One', error }),
    )
    const again = applyEvent(ended, event('chat:completion', { done: false }))
    expect(again.messages['a']).toMatchObject({ done: false, content: 'One' })
    expect(again.messages['a']!.error).toBeUndefined()
    const delta = { content: ', two', offset: 3 }
    expect(applyEvent(again, event('chat:message:delta', delta)).messages['a']!.content).toBe(
      'One, two',
    )
  })

  it('a completion that is not done changes nothing', () => {
    expect(applyEvent(opened, event('chat:completion', { done: false, content: 'x' }))).toBe(opened)
  })

  it('replace and chat:message overwrite the text, message appends to it', () => {
    const events = [event('replace', { content: 'one' }), event('message', { content: ' two' })]
    expect(contentOf(events.reduce(applyEvent, opened))).toBe('one two')
    expect(contentOf(applyEvent(opened, event('chat:message', { content: 'three' })))).toBe('three')
  })

  it('status rows are kept in order, hidden ones too', () => {
    const rows = [
      { description: 'Searching', done: false },
      { description: 'Found', done: true, hidden: true },
    ]
    const state = rows.map((row) => event('status', row)).reduce(applyEvent, opened)
    expect(state.messages.a?.statusHistory).toEqual(rows)
  })

  it('embeds are appended, and replace swaps the whole list', () => {
    const first = applyEvent(opened, event('embeds', { embeds: ['a'] }))
    expect(
      applyEvent(first, event('chat:message:embeds', { embeds: ['b'] })).messages.a?.embeds,
    ).toEqual(['a', 'b'])
    expect(
      applyEvent(first, event('embeds', { embeds: [], replace: true })).messages.a?.embeds,
    ).toEqual([])
  })

  it('source and citation append to the sources', () => {
    const state = [event('source', { name: 'one' }), event('citation', { name: 'two' })].reduce(
      applyEvent,
      opened,
    )
    expect(state.messages.a?.sources).toEqual([{ name: 'one' }, { name: 'two' }])
  })

  it.each(['execute', 'confirmation', 'chat:unknown', '__proto__', 'constructor', 'toString'])(
    '%s changes nothing',
    (type) => {
      expect(applyEvent(opened, event(type, { code: 'alert(1)', content: 'x' }))).toBe(opened)
    },
  )

  it('an event for a message that is not on this branch changes nothing', () => {
    expect(
      applyEvent(opened, {
        message_id: 'other',
        data: { type: 'replace', data: { content: 'x' } },
      }),
    ).toBe(opened)
  })
})

describe('events of the chat', () => {
  it('chat:title takes a plain string or an object', () => {
    expect(applyEvent(opened, event('chat:title', 'One', null)).title).toBe('One')
    expect(applyEvent(opened, event('chat:title', { title: 'Two' }, null)).title).toBe('Two')
  })

  it('a message made elsewhere that continues the branch appears at its end', () => {
    const created = {
      id: 'q2',
      role: 'user',
      content: 'next',
      parentId: 'a',
      childrenIds: [],
      timestamp: 2,
    }
    const state = applyEvent(opened, event('chat:message:created', { message: created }, null))
    expect(state.order).toEqual(['q', 'a', 'q2'])
    expect(state.messages.q2?.siblingIds).toEqual(['q2'])
  })

  it('a message made elsewhere on another branch asks to read the branch again', () => {
    const created = {
      id: 'b',
      role: 'assistant',
      content: '',
      parentId: 'q',
      childrenIds: [],
      timestamp: 2,
    }
    expect(
      applyEvent(opened, event('chat:message:created', { message: created }, null)).isStale,
    ).toBe(true)
  })

  it('a message this window made itself is known already', () => {
    expect(applyEvent(opened, event('chat:message:created', { message: growing }, null))).toBe(
      opened,
    )
  })
})

describe('lists of a message that is read while events arrive', () => {
  const status = (description: string, index?: number): ChatEvent => ({
    message_id: 'a',
    data: { type: 'status', data: { description }, ...(index !== undefined && { index }) },
  })
  const read = (...descriptions: string[]) =>
    page([
      question('q', { childrenIds: ['a'] }),
      { ...growing, statusHistory: descriptions.map((description) => ({ description })) },
    ])
  const shown = (state: ChatState) =>
    state.messages.a?.statusHistory?.map(({ description }) => description)

  it('take what the page already had only once', () => {
    const state = [status('one', 0), status('two', 1), status('three', 2)].reduce(
      applyEvent,
      withPage(opened, read('one', 'two')),
    )
    expect(shown(state)).toEqual(['one', 'two', 'three'])
  })

  it('keep what was told since the page was read', () => {
    expect(
      shown(withPage([status('one', 0), status('two', 1)].reduce(applyEvent, opened), read('one'))),
    ).toEqual(['one', 'two'])
  })

  it('ask to read again after a gap', () => {
    const state = applyEvent(opened, status('three', 2))
    expect([shown(state), state.isStale]).toEqual([undefined, true])
  })

  it('without a place are appended, also when they repeat', () => {
    expect(shown([status('again'), status('again')].reduce(applyEvent, opened))).toEqual([
      'again',
      'again',
    ])
  })
})

it('what running code gave is kept beside the sources, the last word of each run', () => {
  const run = (result: string) => event('source', { type: 'code_execution', id: 'r', result })
  const state = [run('…'), event('citation', { source: { name: 's' } }), run('42')].reduce(
    applyEvent,
    opened,
  )
  expect(state.messages.a).toMatchObject({
    sources: [{ source: { name: 's' } }],
    code_executions: [{ id: 'r', result: '42' }],
  })
})

it('marks of favourites and errors of plugins reach the message', () => {
  const marked = applyEvent(opened, event('chat:message:favorite', { favorite: true }))
  expect(marked.messages.a?.favorite).toBe(true)
  const failed = applyEvent(
    opened,
    event('chat:message:error', { error: { content: 'The pipe broke.' } }),
  )
  expect(failed.messages.a).toMatchObject({ done: true, error: { content: 'The pipe broke.' } })
})
