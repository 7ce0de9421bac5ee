import { once } from 'node:events'
import path from 'node:path'
import { Worker } from 'node:worker_threads'
import { expect, it, onTestFinished } from 'vitest'
import {
  BACKGROUND,
  createWriteTurns,
  leaveTurn,
  endWrite,
  writeSoon,
  type BackgroundWriter,
  type WriteTurns,
} from './write-turns.ts'

const ROUNDS = 100
const MODULE = path.join(import.meta.dirname, 'write-turns.ts')
/**
 * Writes repeatedly, for some milliseconds each time, and counts the writes it started; with
 * `stays` it never gives its first turn back.
 */
const WRITE_ON = `
  const { workerData } = require('node:worker_threads')
  const { module, turns, counts, writer, stays } = workerData
  import(module).then(({ writeInTurn }) => {
    const rest = new Int32Array(new SharedArrayBuffer(4))
    for (;;) writeInTurn(turns, writer, () => {
      Atomics.add(counts, 0, 1)
      Atomics.notify(counts, 0)
      Atomics.wait(rest, 0, 0, stays ? Infinity : 3)
      Atomics.add(counts, 1, 1)
    })
  })`

/** Started and ended background writes. */
type Counts = Int32Array<SharedArrayBuffer>

function startWriter(
  turns: WriteTurns,
  counts: Counts,
  writer: BackgroundWriter,
  stays = false,
): Worker {
  const worker = new Worker(WRITE_ON, {
    eval: true,
    workerData: { module: MODULE, turns, counts, writer, stays },
    execArgv: [],
  })
  onTestFinished(async () => void (await worker.terminate()))
  return worker
}
const createCounts = (): Counts =>
  new Int32Array(new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT))
async function begun(counts: Counts): Promise<void> {
  while (Atomics.load(counts, 0) === 0) await new Promise(setImmediate)
}

it('the main thread waits for one write at most, however many threads write, and none writes beside it', async () => {
  const [turns, counts] = [createWriteTurns(), createCounts()]
  for (const writer of Object.values(BACKGROUND)) startWriter(turns, counts, writer)
  await begun(counts)
  for (let round = 0; round < ROUNDS; round += 1) {
    const ended = Atomics.load(counts, 1)
    await writeSoon(turns)
    expect(Atomics.load(counts, 1) - ended).toBeLessThanOrEqual(1)
    expect(Atomics.load(counts, 0)).toBe(Atomics.load(counts, 1))
    await writeSoon(turns)
    endWrite(turns)
    // As a transaction that waits for something else does.
    await new Promise((resolve) => setTimeout(resolve, 2))
    expect(Atomics.load(counts, 0)).toBe(Atomics.load(counts, 1))
    endWrite(turns)
    await new Promise(setImmediate)
  }
  const before = Atomics.load(counts, 0)
  await expect.poll(() => Atomics.load(counts, 0)).toBeGreaterThan(before)
})

it('the turn of a thread that ended in the middle of it is given back, and only its own', async () => {
  const [turns, counts] = [createWriteTurns(), createCounts()]
  const worker = startWriter(turns, counts, BACKGROUND.index, true)
  await begun(counts)
  worker.terminate().catch(() => undefined)
  await once(worker, 'exit')
  leaveTurn(turns, BACKGROUND.deletions)
  const after = createCounts()
  startWriter(turns, after, BACKGROUND.deletions)
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(Atomics.load(after, 0)).toBe(0)
  leaveTurn(turns, BACKGROUND.index)
  await expect.poll(() => Atomics.load(after, 0)).toBeGreaterThan(0)
})
