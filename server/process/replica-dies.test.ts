import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { hasPostgres } from '../testing/start-postgres.ts'
import { hasRedis } from '../testing/start-redis.ts'
import {
  call,
  isEndOf,
  openWindow,
  startReplicas,
  textFrames,
  type Replicas,
} from '../testing/start-replicas.ts'

/** Each gateway is a process that loads its sources anew. */
const SLOW = 180_000
/** Time limit in ms within which another gateway ends what a dead one had started. */
const ENDED = 10_000

describe.skipIf(!hasPostgres || !hasRedis)(
  'of gateways on one PostgreSQL',
  { timeout: SLOW },
  () => {
    let world: Replicas

    beforeEach(async () => {
      world = await startReplicas()
    }, SLOW)
    afterEach(() => world.close(), SLOW)

    /** Starts an answer written by the first gateway, with a window of its owner on the second. */
    async function beginAnswer() {
      const first = await world.start()
      const second = await world.start()
      const admin = await world.sign(first, 'Ada')
      const window = await openWindow(second, admin)
      // A gateway judges others only after it has been connected to the database for some time.
      await new Promise((resolve) => setTimeout(resolve, 8000))
      const content = 'Say 3000 pieces every 20'
      const chat = await world.newChat(first, admin, content)
      await world.ask(first, admin, { chat, content, session: window.session })
      await window.find((frame) => textFrames(window).includes(frame))
      await new Promise((resolve) => setTimeout(resolve, 1000))
      return { first, second, admin, window, chat }
    }

    const textOf = (frames: readonly { data: { data: { content: string } } }[]): string =>
      frames.map(({ data }) => data.data.content).join('')

    it('one that is killed has its answers ended by another, with nearly all that was streamed', async () => {
      const { first, second, admin, window, chat } = await beginAnswer()
      await first.kill()
      const end = await window.find(isEndOf(), ENDED)
      const streamed = textOf(textFrames(window))
      expect(end.data.data).toMatchObject({ done: true, error: { code: 'interrupted' } })
      const answer = await world.readAnswer(second, admin, chat)
      expect(answer).toMatchObject({ done: true, error: { code: 'interrupted' } })
      expect(streamed.startsWith(answer.content)).toBe(true)
      expect(streamed.length - answer.content.length).toBeLessThan(4096)
      expect(answer.content.length).toBeGreaterThan(0)
      expect((await call(second, admin, ['GET', '/api/tasks'])).body.tasks).toEqual([])
      expect((await call(second, admin, ['GET', `/api/tasks/chat/${chat}`])).body.task_ids).toEqual(
        [],
      )
    })

    it('one that was taken for dead and comes back writes nothing to what was ended, and goes on serving', async () => {
      const { first, second, admin, window, chat } = await beginAnswer()
      first.child.kill('SIGSTOP')
      await window.find(isEndOf(), ENDED)
      const ended = await world.readAnswer(second, admin, chat)
      const heard = window.frames.length
      first.child.kill('SIGCONT')
      await new Promise((resolve) => setTimeout(resolve, 4000))
      expect(await world.readAnswer(second, admin, chat)).toEqual(ended)
      expect(textFrames({ ...window, frames: window.frames.slice(heard) })).toEqual([])
      expect((await call(first, admin, ['GET', '/api/tasks'])).body.tasks).toEqual([])
      // Recovered: the next answer of the gateway that returned reaches the window on the other.
      const content = 'Say 5 pieces every 20'
      const next = await world.newChat(first, admin, content)
      await world.ask(first, admin, { chat: next, content, session: window.session })
      await vi.waitFor(
        () =>
          expect(window.frames.some((frame) => frame.chat_id === next && isEndOf()(frame))).toBe(
            true,
          ),
        5000,
      )
    })
  },
)
