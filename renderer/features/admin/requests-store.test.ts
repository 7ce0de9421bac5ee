import { afterEach, expect, test, vi } from 'vitest'
import type { RequestRecord } from '#contract/requests.ts'
import { fakeGateway } from '../../testing/fake-gateway.ts'
import { createRequestsStore, followLog, withRecord } from './requests-store.ts'

const record = (seq: number): RequestRecord => ({
  id: `r${seq}`,
  seq,
  time: 1,
  method: 'GET',
  endpoint: 'chats.get',
  path: '/api/v1/chats/1',
  status: 200,
  provider_status: null,
  milliseconds: 1,
  first_byte_milliseconds: null,
  bytes_in: 0,
  bytes_out: 0,
  user: null,
  credential: null,
  key_name: null,
  program: null,
  model: null,
  stream: false,
  usage: null,
  error: null,
  has_bodies: false,
})

const LIST = 'GET /api/v1/requests'
const STREAM = 'GET /api/v1/requests/stream'
const page = (...seqs: number[]) => ({
  items: seqs.map(record),
  total: seqs.length,
  enabled: true,
  bodies: false,
  size: 500,
})
const events = (...seqs: number[]) =>
  new Response(
    seqs.map((seq) => `: note\n\nid: ${seq}\ndata: ${JSON.stringify(record(seq))}\n\n`).join(''),
  )

afterEach(() => vi.unstubAllGlobals())

test('a new call stands on top and none is shown twice', () => {
  expect(withRecord([record(2), record(1)], record(3)).map(({ seq }) => seq)).toEqual([3, 2, 1])
  expect(withRecord([record(2)], record(2))).toHaveLength(1)
})

test('the stream goes on where the list ended', async () => {
  const gateway = fakeGateway({ [LIST]: page(2, 1), [STREAM]: () => events(3, 4) })
  const store = createRequestsStore()
  const abort = new AbortController()
  const followed = followLog(store, abort.signal)
  await vi.waitFor(() =>
    expect(store.getState().records.map(({ seq }) => seq)).toEqual([4, 3, 2, 1]),
  )
  expect(gateway.calls.find(({ path }) => path.endsWith('/stream'))?.query.get('after')).toBe('2')
  abort.abort()
  await followed
  expect(store.getState().isLive).toBe(false)
})

test('paused or switched off nothing is followed', async () => {
  const gateway = fakeGateway({ [LIST]: page(1) })
  const store = createRequestsStore()
  store.setState({ isPaused: true })
  await followLog(store, new AbortController().signal)
  expect(store.getState()).toMatchObject({ status: 'ready', isLive: false })
  expect(gateway.calls).toHaveLength(1)
})
