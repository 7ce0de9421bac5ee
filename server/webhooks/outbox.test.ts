import { expect, test, vi } from 'vitest'
import { unavailable } from '../lib/errors.ts'
import { createLogger } from '../lib/logger.ts'
import { Outbox } from './outbox.ts'
import type { DeliveryRow, WebhookStore } from './store.ts'

const ROW: DeliveryRow = {
  id: 'one',
  user_id: null,
  hook_id: null,
  kind: 'new_user',
  facts: '{}',
  state: 'waiting',
  attempts: 0,
  next_attempt_at: 0,
  status: null,
  problem: null,
  created_at: 0,
  finished_at: null,
}

/** A store that is unavailable whenever a test says so. */
class Store {
  isAway = false
  row: DeliveryRow | null = { ...ROW }
  asked = 0

  #require(): void {
    if (this.isAway)
      throw unavailable('The database does not answer.', { code: 'database_unavailable' })
  }
  async due(): Promise<DeliveryRow[]> {
    this.asked += 1
    this.#require()
    return this.row?.state === 'waiting' ? [this.row] : []
  }
  async nextAt(): Promise<null> {
    return null
  }
  async releaseHeld(): Promise<void> {}
  async removeOlder(): Promise<void> {}
  async update(_id: string, changes: Partial<DeliveryRow>): Promise<void> {
    this.#require()
    this.row = { ...this.row!, ...changes }
  }
  async remove(): Promise<void> {
    this.row = null
  }
}

function open(attempt: () => Promise<void> = async () => undefined) {
  const store = new Store()
  let sent = 0
  const outbox = new Outbox({
    storage: { transaction: (work) => work(), afterCommit: (work) => void work() },
    store: store as unknown as WebhookStore,
    log: createLogger('silent'),
    async attempt() {
      sent += 1
      await attempt()
      return { status: 200, problem: null, isFinal: false }
    },
  })
  return { store, outbox, sent: () => sent }
}

test('what waits is sent once the database is back that could not be asked for it', async () => {
  const { store, outbox, sent } = open()
  store.isAway = true
  await outbox.start()
  await vi.waitFor(() => expect(store.asked).toBeGreaterThan(0))
  store.isAway = false
  await vi.waitFor(() => expect(store.row?.state).toBe('delivered'), 5000)
  expect(sent()).toBe(1)
  await outbox.close()
})

test('what was sent while the database went away is written down when it is back, and not sent again', async () => {
  const { store, outbox, sent } = open(async () => void (store.isAway = true))
  await outbox.start()
  await vi.waitFor(() => expect(sent()).toBe(1))
  await new Promise((resolve) => setTimeout(resolve, 300))
  expect(store.row?.state).toBe('waiting')
  store.isAway = false
  await vi.waitFor(() => expect(store.row?.state).toBe('delivered'), 5000)
  expect(sent()).toBe(1)
  await outbox.close()
})

test('what is committed while the next one is looked for does not wait for that one', async () => {
  const { store, outbox, sent } = open()
  store.row = null
  let looks = 0
  vi.spyOn(store, 'nextAt').mockImplementation(async () => {
    if ((looks += 1) === 1) {
      store.row = { ...ROW }
      outbox.wake()
      return (Date.now() + 60_000) as never
    }
    return null
  })
  await outbox.start()
  await vi.waitFor(() => expect(sent()).toBe(1), 5000)
  await outbox.close()
})

test('what ends while another look reads it is not sent again', async () => {
  const { store, outbox, sent } = open()
  const readDue = store.due.bind(store)
  const isRead = Promise.withResolvers<void>()
  const isEnded = Promise.withResolvers<void>()
  let looks = 0
  vi.spyOn(store, 'due').mockImplementation(async () => {
    const rows = await readDue()
    // The second look reads the delivery before its end is written, and gets the rows after it.
    if ((looks += 1) === 2) {
      isRead.resolve()
      await isEnded.promise
    }
    return rows
  })
  vi.spyOn(store, 'update').mockImplementation(async (_id, changes) => {
    outbox.wake()
    await isRead.promise
    store.row = { ...store.row!, ...changes }
  })
  await outbox.start()
  await vi.waitFor(() => expect(store.row?.state).toBe('delivered'), 5000)
  isEnded.resolve()
  // The end of the delivery starts the third look.
  await vi.waitFor(() => expect(looks).toBe(3), 5000)
  await new Promise((resolve) => setImmediate(resolve))
  expect(sent()).toBe(1)
  await outbox.close()
})
