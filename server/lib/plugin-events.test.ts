import { describe, expect, it } from 'vitest'
import {
  parsePluginEvent,
  readPluginEvent,
  toPluginCall,
  unwrap,
  withIndex,
} from './plugin-events.ts'

describe('an event of a stranger', () => {
  it('of a known form is passed on with every field it came with', () => {
    const event = { type: 'status', data: { description: 'Looking', done: false, own: [1] } }
    expect(parsePluginEvent(event)).toEqual(event)
    const completed = { type: 'chat:completion', data: { done: true, content: 'x', own: 1 } }
    expect(parsePluginEvent(completed)).toEqual(completed)
  })

  it('that tells of an answer without `done` is one of an answer that goes on', () => {
    for (const data of [{ content: 'so far' }, { usage: { total_tokens: 5 } }, { choices: [] }])
      expect(readPluginEvent({ type: 'chat:completion', data })).toEqual({
        type: 'chat:completion',
        data: { ...data, done: false },
      })
  })

  it('of a type nobody knows is passed on as it came, whatever it is called', () => {
    for (const type of ['own:type', 'foreign', '__proto__', 'constructor', 'toString']) {
      const event = { type, data: [1, 'x'] }
      expect(unwrap(parsePluginEvent(event))).toEqual(event)
    }
  })

  it.each([null, 'text', 7, [], { content: 5 }])(
    'never reaches a window with %o as data',
    (data) => {
      const types = [
        'chat:message:delta',
        'message',
        'replace',
        'embeds',
        'files',
        'notification',
        'chat:completion',
        'chat:message:created',
        'chat:message:error',
        'chat:outlet',
        'chat:active',
        'chat:list',
        'file:status',
        'image:progress',
      ]
      for (const type of types) {
        expect(readPluginEvent({ type, data })).toBeNull()
        expect(() => parsePluginEvent({ type, data })).toThrow(`The event "${type}" needs`)
      }
    },
  )

  it('names what is wrong with it', () => {
    expect(() => parsePluginEvent({ type: 'message', data: { content: 5 } })).toThrow(
      'The event "message" needs another value in "content".',
    )
  })

  it('without a type is none', () => {
    for (const event of [null, 'status', [], {}, { type: 5 }, { data: {} }])
      expect(readPluginEvent(event)).toBeNull()
  })
})

it('a place in a list is only told of events windows know', () => {
  const status = parsePluginEvent({ type: 'status', data: {} })
  expect(withIndex(status, 0)).toEqual({ type: 'status', data: {}, index: 0 })
  expect(withIndex(status, null)).toBe(status)
  const own = parsePluginEvent({ type: 'own', data: {} })
  expect(withIndex(own, 0)).toBe(own)
})

it('a question nobody knows goes to the window as it came, which refuses it', () => {
  const question = { type: 'dance', data: { with: 'me' } }
  expect(unwrap(toPluginCall(question))).toEqual(question)
  expect(toPluginCall({ type: 'input', data: 'x' })).toEqual({ type: 'input', data: {} })
})
