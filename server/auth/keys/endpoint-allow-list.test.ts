import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { allEndpoints, endpoints } from '#contract/endpoints.ts'
import { KeyAllowList } from './endpoint-allow-list.ts'
import { settingsOf } from '../../testing/settings-of.ts'

const allowing = (...list: string[]) =>
  new KeyAllowList({
    ...settingsOf({
      ENABLE_API_KEYS_ENDPOINT_RESTRICTIONS: true,
      API_KEYS_ALLOWED_ENDPOINTS: list,
    }),
    onChange: () => undefined,
  })

describe('the endpoint allow-list of API keys', () => {
  it('allows an endpoint and everything below it', () => {
    const list = allowing('/api/v1/chats')
    expect(list.allowsEndpoint(endpoints.chats.list)).toBe(true)
    expect(list.allowsEndpoint(endpoints.chats.messageEvent)).toBe(true)
    expect(list.allowsEndpoint(endpoints.users.list)).toBe(false)
  })

  it('compares whole segments, with case', () => {
    for (const entry of [
      '/api/v1/chat',
      '/api/v1/chats2',
      '/API/v1/chats',
      '/api/v1/chats/list2',
      'chats',
    ]) {
      expect(allowing(entry).allowsEndpoint(endpoints.chats.list)).toBe(false)
    }
  })

  it('does not mind spaces, doubled and trailing slashes and repetitions', () => {
    for (const entry of ['/api/models/', ' /api/models ', '//api//models', '/api/models//']) {
      expect(allowing(entry, entry).allowsEndpoint(endpoints.models.list)).toBe(true)
    }
  })

  it('takes an alias for the endpoint, and placeholders in any spelling', () => {
    expect(
      allowing('/api/v1/chat/completions').allowsEndpoint(endpoints.completions.chatCompletions),
    ).toBe(true)
    for (const entry of ['/api/v1/chats/:id', '/api/v1/chats/{chat_id}', '/api/v1/chats/<id>']) {
      expect(allowing(entry).allowsEndpoint(endpoints.chats.get)).toBe(true)
      expect(allowing(entry).allowsEndpoint(endpoints.chats.list)).toBe(false)
    }
  })

  it('allows a single model by its id, with slashes in it too, and any model by a placeholder', () => {
    const { one, list } = endpoints.models
    const asked = (...model_id: string[]) => ({ model_id })
    for (const entry of ['/api/models/org/small', '/api/models/org%2Fsmall', '/api/models/:id'])
      expect(allowing(entry).allowsEndpoint(list)).toBe(false)
    for (const values of [asked('org', 'small'), asked('org/small')]) {
      for (const entry of ['/api/models/org/small', '/api/v1/models/org%2Fsmall'])
        expect(allowing(entry).allowsEndpoint(one, values)).toBe(true)
      expect(allowing('/api/models/org/large').allowsEndpoint(one, values)).toBe(false)
      expect(allowing('/api/models/org/sma').allowsEndpoint(one, values)).toBe(false)
    }
    for (const entry of ['/api/models/:id', '/api/models/*model_id', '/api/v1/models/{model}'])
      expect(allowing(entry).allowsEndpoint(one, asked('small'))).toBe(true)
  })

  it('allows what belongs to one id alone', () => {
    const nested = allowing('/api/v1/chats/:id/messages/one')
    const asked = (message_id: string) => ({ chat_id: 'any', message_id })
    expect(nested.allowsEndpoint(endpoints.chats.messageEvent, asked('one'))).toBe(true)
    expect(nested.allowsEndpoint(endpoints.chats.messageEvent, asked('two'))).toBe(false)
    const list = allowing('/api/v1/chats/one')
    expect(list.allowsEndpoint(endpoints.chats.get, { chat_id: 'one' })).toBe(true)
    expect(list.allowsEndpoint(endpoints.chats.get, { chat_id: 'two' })).toBe(false)
    expect(list.allowsEndpoint(endpoints.chats.list)).toBe(false)
  })

  it('an empty list or an entry without a segment allows nothing', () => {
    for (const list of [[], [''], ['/'], ['//', ' ']]) {
      expect(allEndpoints.filter((endpoint) => allowing(...list).allowsEndpoint(endpoint))).toEqual(
        [],
      )
    }
  })

  it('never allows more when an entry grows', () => {
    const segment = fc.constantFrom('api', 'v1', 'chats', 'models', 'users', ':id', '')
    fc.assert(
      fc.property(fc.array(segment, { minLength: 1 }), segment, (segments, more) => {
        const [short, long] = [segments.join('/'), [...segments, more].join('/')]
        const isWider = allEndpoints.some(
          (endpoint) =>
            allowing(long).allowsEndpoint(endpoint) && !allowing(short).allowsEndpoint(endpoint),
        )
        expect(isWider && short.replaceAll('/', '') !== '').toBe(false)
      }),
    )
  })
})
