import { afterEach, expect, it, vi } from 'vitest'
import type { ChannelEvent } from '#contract/channel-events.ts'
import { fakeGateway, refusal } from '../../testing/fake-gateway.ts'
import { sampleListed, sampleMessage, sampleShown } from '../../testing/channel-samples.ts'
import { withReaction } from './change-message.ts'
import { postMessage, sendPending } from './post-message.ts'
import { applyRoomFrame, createRoom, openRoom, openThread, refreshRoom } from './room.ts'
import './strings.ts'
import { PAGE, readOn } from './timeline.ts'

afterEach(() => vi.unstubAllGlobals())

const PLACE = '/api/v1/channels/c1'
const channel = { ...sampleListed(), user_count: 2, first_unread_id: null }
const author = { id: 'u1', name: '1', profile_image_url: '' }
const listed = (id: string, minute: number) => ({ ...sampleMessage(id, { minute }), data: false })
/** Newest first, as the gateway answers. */
const page = (from: number, count: number) =>
  Array.from({ length: count }, (_, index) => listed(`m${from - index}`, from - index))
const tell = (
  room: ReturnType<typeof createRoom>,
  data: ChannelEvent,
  user = { id: 'u2', name: '2' },
): void =>
  applyRoomFrame(room, { type: 'events:channel', channel_id: 'c1', message_id: null, user, data })
const idsOf = (room: ReturnType<typeof createRoom>): string[] =>
  room.timeline.store.getState().messages.map(({ id }) => id)

async function open(answers: Record<string, unknown> = {}) {
  const gateway = fakeGateway({
    [`GET ${PLACE}`]: channel,
    [`GET ${PLACE}/messages`]: page(3, 3),
    ...answers,
  })
  const room = createRoom('c1')
  await openRoom(room, null)
  return { gateway, room }
}

it('a channel opens at its end, the oldest message first', async () => {
  const { room } = await open()
  expect(idsOf(room)).toEqual(['m1', 'm2', 'm3'])
  expect(room.timeline.store.getState()).toMatchObject({
    status: 'ready',
    hasOlder: false,
    hasNewer: false,
  })
})

it('with much unread it opens around the first unread message, and reads on in both directions', async () => {
  const around = vi.fn(({ query }: { query: URLSearchParams }) =>
    query.get('around')
      ? page(60, 20)
      : query.get('before') === 'm41'
        ? page(40, PAGE)
        : query.get('after') === 'm60'
          ? page(63, 3)
          : [],
  )
  const { room } = await open({
    [`GET ${PLACE}`]: { ...channel, unread_count: 100, first_unread_id: 'm50' },
    [`GET ${PLACE}/messages`]: around,
  })
  expect(room.timeline.store.getState()).toMatchObject({
    firstUnreadId: 'm50',
    hasOlder: true,
    hasNewer: true,
  })
  tell(room, { type: 'message', data: sampleMessage('m99', { minute: 99 }) })
  expect(idsOf(room)).not.toContain('m99')
  expect(room.timeline.store.getState().arrived).toBe(1)
  await readOn(room.timeline, 'older')
  await readOn(room.timeline, 'newer')
  expect(room.timeline.store.getState()).toMatchObject({ hasOlder: true, hasNewer: false })
  expect(idsOf(room)).toHaveLength(20 + PAGE + 3)
})

it('a channel out of reach is told in a sentence, one that cannot be read can be tried again', async () => {
  const { room } = await open({ [`GET ${PLACE}`]: refusal(403, 'No') })
  expect(room.store.getState()).toMatchObject({
    status: 'gone',
    problem: 'This channel does not exist, or you do not have access to it.',
  })
  const other = await open({ [`GET ${PLACE}`]: refusal(500, 'It broke.') })
  expect(other.room.store.getState()).toMatchObject({ status: 'failed', problem: 'It broke.' })
})

it('a message shows at once, and is one message when the answer and the event have come, in either order', async () => {
  let tempId = ''
  const { room } = await open({
    [`POST ${PLACE}/messages/post`]: async ({ body }: { body: { temp_id: string } }) => {
      await new Promise((resolve) => setTimeout(resolve))
      tempId = body.temp_id
      tell(
        room,
        { type: 'message', data: sampleMessage('m9', { minute: 9, temp_id: tempId }) },
        author,
      )
      tell(
        room,
        { type: 'message:reply', data: sampleMessage('m9', { minute: 9, reply_count: 1 }) },
        author,
      )
      return sampleMessage('m9', { minute: 9 })
    },
  })
  const sent = postMessage(room.timeline, { content: 'hello', files: [], quoted: null }, author)
  expect(room.timeline.store.getState().messages.at(-1)).toMatchObject({
    content: 'hello',
    sending: { state: 'sending' },
  })
  await sent
  expect(idsOf(room)).toEqual(['m1', 'm2', 'm3', 'm9'])
  // The data received over the socket is newer than the response.
  expect(room.timeline.store.getState().messages.at(-1)).toMatchObject({
    reply_count: 1,
    sending: undefined,
  })
})

it('what cannot be sent stays with its reason until it is sent again', async () => {
  const { gateway, room } = await open({
    [`POST ${PLACE}/messages/post`]: refusal(403, 'You may not write here.'),
  })
  await postMessage(room.timeline, { content: 'hello', files: [], quoted: null }, author)
  const failed = room.timeline.store.getState().messages.at(-1)!
  expect(failed.sending).toMatchObject({ state: 'failed', problem: 'You may not write here.' })
  await refreshRoom(room)
  expect(idsOf(room)).toEqual(['m1', 'm2', 'm3', failed.id])
  gateway.answers[`POST ${PLACE}/messages/post`] = sampleMessage('m9', { minute: 9 })
  await sendPending(room.timeline, failed)
  expect(idsOf(room)).toEqual(['m1', 'm2', 'm3', 'm9'])
})

it('answers in a thread stand in the thread alone, and the count stands at its message in both places', async () => {
  const { room } = await open({
    [`GET ${PLACE}/messages/m3/thread`]: [
      { ...sampleMessage('a1', { minute: 4, parent_id: 'm3' }), data: false },
      listed('m3', 3),
    ],
  })
  await openThread(room, 'm3')
  const { thread } = room.store.getState()
  expect(thread!.store.getState()).toMatchObject({ hasOlder: false, messages: [{ id: 'a1' }] })
  tell(room, { type: 'message', data: sampleMessage('a2', { minute: 5, parent_id: 'm3' }) })
  tell(room, { type: 'message', data: sampleMessage('b1', { minute: 5, parent_id: 'm2' }) })
  tell(room, { type: 'message:reply', data: sampleMessage('m3', { minute: 3, reply_count: 2 }) })
  expect(thread!.store.getState().messages.map(({ id }) => id)).toEqual(['a1', 'a2'])
  expect(idsOf(room)).toEqual(['m1', 'm2', 'm3'])
  expect(room.store.getState().parent?.reply_count).toBe(2)
  expect(room.timeline.store.getState().messages.at(-1)?.reply_count).toBe(2)
})

it('a message that goes takes its open thread along', async () => {
  const { room } = await open({ [`GET ${PLACE}/messages/m3/thread`]: [] })
  await openThread(room, 'm3')
  tell(room, { type: 'message:delete', data: sampleMessage('m3') })
  expect(idsOf(room)).toEqual(['m1', 'm2'])
  expect(room.store.getState().thread).toBeNull()
})

it('who is taken out is told so', async () => {
  const { room } = await open()
  tell(room, { type: 'channel:removed', data: {} })
  expect(room.store.getState()).toMatchObject({
    status: 'gone',
    problem: 'You are no longer a member of this channel.',
  })
})

it('who types is named until the message comes or nothing is heard of them', async () => {
  vi.useFakeTimers()
  const { room } = await open()
  const names = () =>
    room.typists.store.getState().typists.map(({ name, thread }) => `${name} ${thread}`)
  tell(room, { type: 'typing', data: { typing: true, message_id: null } })
  tell(room, { type: 'typing', data: { typing: true, message_id: 'm3' } })
  expect(names()).toEqual(['2 null', '2 m3'])
  tell(room, { type: 'message', data: sampleMessage('m4', { minute: 4, user_id: 'u2' }) })
  expect(names()).toEqual(['2 m3'])
  vi.advanceTimersByTime(6_000)
  expect(names()).toEqual([])
  vi.useRealTimers()
})

it('after a lost connection what was deleted meanwhile is gone, and a gap is read rather than skipped', async () => {
  const { gateway, room } = await open({ [`GET ${PLACE}/messages`]: page(60, PAGE) })
  gateway.answers[`GET ${PLACE}/messages`] = page(61, PAGE).filter(({ id }) => id !== 'm50')
  await refreshRoom(room)
  expect(idsOf(room)).toContain('m61')
  expect(idsOf(room)).not.toContain('m50')
  gateway.answers[`GET ${PLACE}/messages`] = page(200, PAGE)
  await refreshRoom(room)
  expect(room.timeline.store.getState().hasNewer).toBe(true)
  expect(idsOf(room)).not.toContain('m200')
})

it('a reaction is put there once and goes with the last person', () => {
  const ada = { id: 'u1', name: 'Ada' }
  const bob = { id: 'u2', name: 'Bob' }
  const once = withReaction([], '👍', ada, true)
  expect(withReaction(once, '👍', ada, true)).toBe(once)
  const both = withReaction(once, '👍', bob, true)
  expect(both).toEqual([{ name: '👍', users: [ada, bob], count: 2 }])
  expect(withReaction(withReaction(both, '👍', ada, false), '👍', bob, false)).toEqual([])
  expect(sampleShown('m').reactions).toEqual([])
})
