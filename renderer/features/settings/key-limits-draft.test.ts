import { expect, test } from 'vitest'
import { fromLimits, NO_LIMITS } from './key-limits-draft.ts'

test('only limits that were set are sent', () => {
  expect(fromLimits(NO_LIMITS)).toEqual({})
  expect(
    fromLimits(
      { lifetime: 'day', requests: '20', tokens: '', models: ' a \n\nb', paths: '/api/chat' },
      1_000_000,
    ),
  ).toEqual({
    expires_at: 1000 + 86_400,
    daily_requests: 20,
    allowed_models: ['a', 'b'],
    allowed_endpoints: ['/api/chat'],
  })
})
