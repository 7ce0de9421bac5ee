import { afterEach, expect, it, onTestFinished, vi } from 'vitest'
import type { ChannelEvent } from '#contract/channel-events.ts'
import { fakeGateway, refusal } from '../../testing/fake-gateway.ts'
import { sampleListed, sampleMessage } from '../../testing/channel-samples.ts'
import { channelName } from './channel-name.ts'
import {
  applyListFrame,
  createChannelsStore,
  loadChannels,
  markRead,
  noteRead,
  selectChannel,
} from './channels-store.ts'
import './strings.ts'

afterEach(() => vi.unstubAllGlobals())

const LIST = 'GET /api/v1/channels/'

async function listed() {
  const gateway = fakeGateway({ [LIST]: [sampleListed()] })
  const store = createChannelsStore()
  await loadChannels(store)
  const tell = (data: ChannelEvent, id = 'c1'): void =>
    applyListFrame(
      store,
      { type: 'events:channel', channel_id: id, message_id: null, user: null, data },
      'me',
    )
  return { gateway, store, tell, channel: () => selectChannel('c1')(store.getState()) }
}

it('messages of others are counted, also of webhooks and models one asked; one’s own are not', async () => {
  const { tell, channel } = await listed()
  tell({ type: 'message', data: sampleMessage('m1', { minute: 1 }) })
  tell({ type: 'message', data: sampleMessage('m2', { user_id: 'me' }) })
  tell({
    type: 'message',
    data: sampleMessage('m3', { user_id: 'me', meta: { model_id: 'm', done: false } }),
  })
  tell({
    type: 'message',
    data: sampleMessage('m4', {
      user_id: 'me',
      user: { id: 'w', name: 'w', role: 'webhook', profile_image_url: '' },
    }),
  })
  expect(channel()).toMatchObject({ unread_count: 3, mention_count: 0 })
  tell({ type: 'mention', data: sampleMessage('m1') })
  expect(channel()?.mention_count).toBe(1)
  tell({ type: 'channel:read', data: { last_read_at: 5, unread_count: 0, mention_count: 0 } })
  expect(channel()).toMatchObject({ unread_count: 0, mention_count: 0, last_read_at: 5 })
})

it('a channel that is new or came back is read, one that went is dropped', async () => {
  const { gateway, store, tell } = await listed()
  gateway.answers[LIST] = [sampleListed(), sampleListed({ id: 'c2', name: 'two' })]
  tell({ type: 'message', data: sampleMessage('m1') }, 'c2')
  await expect.poll(() => store.getState().channels.map(({ id }) => id)).toEqual(['c1', 'c2'])
  tell({ type: 'channel:removed', data: {} }, 'c2')
  tell({ type: 'channel:deleted', data: {} })
  expect(store.getState().channels).toEqual([])
})

it('reading is told to the gateway, whose counts are taken', async () => {
  const { gateway, store, channel } = await listed()
  gateway.answers['POST /api/v1/channels/c1/read'] = {
    last_read_at: 9,
    unread_count: 2,
    mention_count: 1,
  }
  await markRead(store, 'c1')
  expect(channel()).toMatchObject({ last_read_at: 9, unread_count: 2, mention_count: 1 })
  expect(gateway.calls.at(-1)?.body).toEqual({ before_message_id: null })
  await markRead(store, 'c1', 'm1')
  expect(gateway.calls.at(-1)?.body).toEqual({ before_message_id: 'm1' })
})

it('what comes after somebody has left is not read, though the gateway is told of the reading later', async () => {
  const { gateway, store, tell } = await listed()
  const path = 'POST /api/v1/channels/c1/read'
  gateway.answers[path] = { last_read_at: 9, unread_count: 0, mention_count: 0 }
  const told = () => gateway.calls.filter((call) => call.body !== undefined).map(({ body }) => body)
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  tell({ type: 'message', data: sampleMessage('m1') })
  noteRead(store, 'c1')
  await vi.advanceTimersByTimeAsync(1)
  expect(told()).toEqual([{ message_id: 'm1' }])
  for (const id of ['m2', 'm3']) {
    tell({ type: 'message', data: sampleMessage(id) })
    noteRead(store, 'c1')
  }
  tell({ type: 'message', data: sampleMessage('m4') })
  await vi.advanceTimersByTimeAsync(1_000)
  expect(told()).toEqual([{ message_id: 'm1' }, { message_id: 'm3' }])
})

it('a list that cannot be read says why, one that is there stays', async () => {
  const { gateway, store } = await listed()
  gateway.answers[LIST] = refusal(500, 'It broke.')
  await loadChannels(store)
  expect(store.getState()).toMatchObject({ status: 'ready', channels: [{ id: 'c1' }] })
  const fresh = createChannelsStore()
  await loadChannels(fresh)
  expect(fresh.getState()).toMatchObject({ status: 'failed', problem: 'It broke.' })
})

it('a conversation is called after the others in it', () => {
  const person = (id: string, name: string) => ({
    id,
    name,
    profile_image_url: '',
    is_active: false,
    status_emoji: null,
    status_message: null,
    status_expires_at: null,
  })
  const [me, ada, bob] = [person('me', 'Me'), person('a', 'Ada'), person('b', 'Bob')]
  const talk = (...users: ReturnType<typeof person>[]) =>
    channelName({ type: 'dm', name: '', users }, 'me')
  expect(talk(me, ada)).toBe('Ada')
  expect(talk(me, ada, bob)).toBe('Ada, Bob')
  expect(talk(me)).toBe('Me (you)')
  expect(channelName({ type: 'group', name: '', users: null }, 'me')).toBe('Unnamed channel')
})
