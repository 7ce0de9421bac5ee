// @vitest-environment jsdom
import '../../lib/strings/admin.ts'
import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import type { RequestRecord } from '#contract/requests.ts'
import { shortenPath, splitPath } from './format-call.ts'
import { RequestTable } from './request-table.tsx'

const ID = '40482fde-c589-4af8-b431-432bbbd6aacb'

const record: RequestRecord = {
  id: 'r1',
  seq: 1,
  time: 1_800_000_000_000,
  method: 'POST',
  endpoint: 'channels.post',
  path: `/api/v1/channels/${ID}/messages/post`,
  status: 200,
  provider_status: null,
  milliseconds: 6,
  first_byte_milliseconds: null,
  bytes_in: 1,
  bytes_out: 1,
  user: { id: 'u1', name: 'Ada Lovelace' },
  credential: 'bearer',
  key_name: null,
  program: 'curl',
  model: null,
  stream: false,
  usage: null,
  error: null,
  has_bodies: false,
}

const show = (records: RequestRecord[]): void => {
  render(<RequestTable records={records} costOf={() => null} onOpen={() => undefined} />)
}

afterEach(cleanup)

test('a call names the person first, and shortens the ids of its path', () => {
  show([record])
  expect(screen.getByRole('rowheader').textContent).toBe(
    'Ada Lovelace · curlPOST /api/v1/channels/4048…aacb/messages/post',
  )
  const button = screen.getByRole('button', { name: `POST ${record.path}` })
  expect(button.title).toBe(record.path)
})

test('a column without any tokens or cost is left out', () => {
  show([record])
  expect(screen.queryByRole('columnheader', { name: 'Tokens and cost' })).toBeNull()
  cleanup()
  const usage = { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 }
  show([record, { ...record, seq: 2, usage }])
  expect(screen.getByRole('columnheader', { name: 'Tokens and cost' })).toBeTruthy()
})

test('names in a path stay whole', () => {
  expect(shortenPath('/api/v1/evaluations/feedbacks-of-everyone?id=a')).toBe(
    '/api/v1/evaluations/feedbacks-of-everyone?id=a',
  )
  expect(shortenPath(`/api/v1/chats/${ID}?raw=1`)).toBe('/api/v1/chats/4048…aacb?raw=1')
})

test('the end of a path, which tells calls apart, is kept where the beginning is cut', () => {
  expect(splitPath('/api/v1/channels/4048…aacb/messages/post')).toEqual([
    '/api/v1/channels/4048…aacb',
    '/messages/post',
  ])
  expect(splitPath('/api/chat/completions')).toEqual(['/api/chat', '/completions'])
  expect(splitPath('/v1/messages')).toEqual(['', '/v1/messages'])
  expect(splitPath('/api/v1/evaluations/feedbacks-of-everyone')).toEqual([
    '/api/v1/evaluations/feedbac',
    'ks-of-everyone',
  ])
})
