import { expect, it } from 'vitest'
import failures from '../../../locales/en/failures.json' with { type: 'json' }
import { describeFailure, type Failure } from './describe-failure.ts'

const kindOf = (error: Partial<Failure>): string | null =>
  describeFailure({ content: 'It failed.', ...error }).kind

it('tells failures apart by code, by status and by what the provider calls them', () => {
  expect(kindOf({ code: 'upstream_refused_key', provider_status: 401 })).toBe('keyRejected')
  expect(kindOf({ code: 'upstream_refused_key', provider_status: 403 })).toBe('keyForbidden')
  expect(kindOf({ code: 'upstream_unavailable', provider_status: 503 })).toBe('busy')
  expect(kindOf({ code: 'upstream_rate_limited', provider_status: 429 })).toBe('limited')
  expect(
    kindOf({
      code: 'upstream_rate_limited',
      provider_status: 429,
      provider_code: 'insufficient_quota',
    }),
  ).toBe('unpaid')
  expect(kindOf({ code: 'upstream_refused', provider_status: 402 })).toBe('unpaid')
  expect(
    kindOf({ code: 'upstream_refused', provider_status: 400, provider_code: 'content_filter' }),
  ).toBe('contentRefused')
  expect(kindOf({ code: 'upstream_too_large', provider_status: 413 })).toBe('tooLarge')
  expect(kindOf({ code: 'upstream_too_large' })).toBeNull()
})

it('a page that is missing is no model that is gone', () => {
  const refused = { code: 'upstream_refused', provider_status: 404 }
  expect(kindOf({ ...refused, provider_said: 'The model "x" does not exist.' })).toBe('modelGone')
  expect(kindOf({ ...refused, provider_said: 'Not Found' })).toBe('wrongAddress')
  expect(kindOf({ ...refused, provider_said: '  ', content: 'model x is gone' })).toBe('modelGone')
})

it('what it does not know is left to its own sentence', () => {
  for (const code of ['teapot', 'toString', undefined, 7])
    expect(kindOf({ code: code as string })).toBeNull()
  expect(describeFailure({ content: '', code: 'teapot' }).way).toBe('retry')
})

it('offers first what can help', () => {
  const wayOf = (code: string) => describeFailure({ content: '', code }).way
  expect(wayOf('upstream_refused_key')).toBe('connection')
  expect(wayOf('model_not_found')).toBe('model')
  expect(wayOf('context_length_exceeded')).toBe('shorten')
  expect(wayOf('upstream_refused')).toBe('model')
  expect(wayOf('upstream_unavailable')).toBe('retry')
})

it('no kind speaks of what people do not know', () => {
  expect(JSON.stringify(failures)).not.toMatch(/upstream|other side|frame|ECONN/i)
})
