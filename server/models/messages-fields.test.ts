import type { IncomingMessage } from 'node:http'
import { expect, test } from 'vitest'
import type { Model } from '#contract/models.ts'
import type { HttpCall } from '../lib/http.ts'
import { viewFor } from './messages-fields.ts'

test('a model from a provider that counts time in smaller units is shown too', () => {
  const request = { headers: { 'anthropic-version': '2023-06-01' } } as unknown as IncomingMessage
  const { show } = viewFor({ request } as HttpCall, [])
  const dateOf = (created: number) => show({ created } as Model)['created_at']
  expect(dateOf(1_700_000_000)).toBe('2023-11-14T22:13:20.000Z')
  expect(dateOf(1_700_000_000_000_000)).toBe('9999-12-31T23:59:59.000Z')
})
