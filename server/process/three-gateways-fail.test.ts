import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { runLoad } from '../testing/run-load.ts'
import { hasNginx } from '../testing/start-nginx.ts'
import { hasPostgres } from '../testing/start-postgres.ts'
import { hasRedis } from '../testing/start-redis.ts'
import { call, openWindow, type Frame } from '../testing/start-replicas.ts'
import { startThree, type ThreeGateways } from '../testing/start-three.ts'

/** Each gateway is a process that loads its sources anew. */
const SLOW = 180_000
const STREAMS = 200
const AT_ONCE = 16
const PIECES = 12
/** Time in ms a gateway must have been connected to the database before it judges others. */
const STEADY_MILLISECONDS = 8000
/**
 * nginx skips an upstream it could not reach for five seconds, so this waits until it is used
 * again.
 */
const SEEN_AGAIN_MILLISECONDS = 6000

const whole = Array.from({ length: PIECES }, (_, index) => `piece ${index}. `).join('')

interface Row {
  readonly chat_id: string
  readonly content: string
  readonly running: number
}

describe.skipIf(!hasPostgres || !hasRedis || !hasNginx)(
  'three gateways behind nginx',
  { timeout: SLOW },
  () => {
    let three: ThreeGateways
    let admin: string

    beforeAll(async () => {
      three = await startThree()
      admin = await three.world.sign(three.gateways[0]!, 'Ada')
    }, SLOW)
    afterAll(() => three.close(), SLOW)

    const readRows = async (database: pg.Client): Promise<Map<string, Row>> => {
      const { rows } = await database.query<Row>(
        "select chat_id, content, running::int as running from message where id = 'answer'",
      )
      return new Map(rows.map((row) => [row.chat_id, row]))
    }

    it('fail no call that a client library tries again while they are started anew one after the other', async () => {
      const load = runLoad(three.nginx, admin)
      await sleep(1500)
      for (const place of three.gateways.keys()) {
        expect(await three.gateways[place]!.terminate()).toBe(0)
        await three.startAgain(place)
        await sleep(SEEN_AGAIN_MILLISECONDS)
      }
      await sleep(1000)
      const outcome = await load.end()
      expect(outcome.failed).toEqual([])
      expect(outcome.calls).toBeGreaterThan(100)
      expect(outcome.lost).toEqual([])
    })

    it(`lose no saved text of ${STREAMS} answers when one of them is killed, and leave none unfinished`, async () => {
      const began = performance.now()
      const content = `Say ${PIECES} pieces every 200 until released`
      const chats = await inTurns(STREAMS, () => three.world.newChat(three.nginx, admin, content))
      await sleep(Math.max(0, STEADY_MILLISECONDS - (performance.now() - began)))
      const window = await openWindow(three.gateways[1]!, admin)
      const { session } = window
      const asked = await inTurns(STREAMS, (place) =>
        three.world.ask(three.nginx, admin, { chat: chats[place]!, content, session }),
      )
      expect(new Set(asked.map(({ status }) => status))).toEqual(new Set([200]))
      await sleep(1000)
      const database = new pg.Client(three.world.address)
      await database.connect()
      try {
        await three.gateways[0]!.kill()
        const saved = await readRows(database)
        const running = [...saved.values()].filter(({ running: is }) => is === 1)
        expect(running).toHaveLength(STREAMS)
        three.world.release()
        await vi.waitFor(
          async () => {
            const rows = [...(await readRows(database)).values()]
            expect(rows.filter((row) => row.running === 1)).toEqual([])
          },
          { timeout: 60_000, interval: 500 },
        )
        const ended = await readRows(database)
        expect(ended.size).toBe(STREAMS)
        const cut = [...ended.values()].filter((row) => row.content !== whole)
        expect(cut.length).toBeGreaterThan(0)
        expect(cut.length).toBeLessThan(STREAMS)
        for (const row of ended.values()) {
          expect(whole.startsWith(row.content)).toBe(true)
          expect(row.content.startsWith(saved.get(row.chat_id)!.content)).toBe(true)
        }
        for (const { chat_id } of cut.slice(0, 5))
          expect(await three.world.readAnswer(three.nginx, admin, chat_id)).toMatchObject({
            done: true,
            error: { code: 'interrupted' },
          })
      } finally {
        await database.end()
      }
      for (const gateway of three.gateways.slice(1))
        // Work that follows an answer, such as a title, ends a little later.
        await vi.waitFor(
          async () =>
            expect((await call(gateway, admin, ['GET', '/api/tasks'])).body.tasks).toEqual([]),
          { timeout: 20_000, interval: 250 },
        )
      expectInOrder(window.frames)
    })
  },
)

/** Runs a few at a time, as real users would. */
async function inTurns<Result>(count: number, work: (place: number) => Promise<Result>) {
  const results: Result[] = []
  let next = 0
  const take = async (): Promise<void> => {
    while (next < count) {
      const place = next
      next += 1
      results[place] = await work(place)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, take))
  return results
}

/**
 * Expects that the pieces of every answer arrived once and in order, whichever gateway wrote it.
 */
function expectInOrder(frames: readonly Frame[]): void {
  const lengths = new Map<string, number>()
  for (const { chat_id, message_id, data } of frames) {
    if (message_id !== 'answer' || data?.type !== 'chat:message:delta') continue
    const { offset, content } = data.data as { offset: number; content: string }
    expect([chat_id, offset]).toEqual([chat_id, lengths.get(chat_id) ?? 0])
    lengths.set(chat_id, offset + content.length)
  }
  expect(lengths.size).toBe(STREAMS)
}
