/**
 * Who wants to write to a database that several threads share: how many of the main thread, and
 * which one of the others does.
 */
export type WriteTurns = Int32Array<SharedArrayBuffer>

const WAITING = 0
const TAKEN = 1
const NOBODY = 0
/** Threads that write in the background, by what they leave in the turns. */
export const BACKGROUND = { deletions: 1, index: 2, checkpoints: 3 } as const
export type BackgroundWriter = (typeof BACKGROUND)[keyof typeof BACKGROUND]

/** Longest wait for the others, in milliseconds; after it SQLite's own lock decides. */
const LONGEST_WAIT = 100

export const createWriteTurns = (): WriteTurns =>
  new Int32Array(new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT))

/**
 * Announces a write from the main thread, which goes first: no other thread begins one until
 * `endWrite`. The promise is for the one that is under way; undefined when there is none.
 */
export function writeSoon(turns: WriteTurns): Promise<unknown> | undefined {
  Atomics.add(turns, WAITING, 1)
  const writer = Atomics.load(turns, TAKEN)
  if (writer === NOBODY) return undefined
  // SQLite would sleep for fixed times, in which another thread takes the turn again and again.
  const wait = Atomics.waitAsync(turns, TAKEN, writer, LONGEST_WAIT)
  return wait.async ? stayAwake(wait.value) : undefined
}

/** Keeps the process alive meanwhile: to Node, who waits for memory alone has nothing left to do. */
async function stayAwake(wait: Promise<unknown>): Promise<void> {
  const awake = setInterval(() => undefined, LONGEST_WAIT)
  await wait
  clearInterval(awake)
}

/** Lets the other threads write again. */
export function endWrite(turns: WriteTurns): void {
  if (Atomics.sub(turns, WAITING, 1) === 1) Atomics.notify(turns, WAITING)
}

/**
 * Writes from a thread in the background: when the main thread does not want to, and no other
 * thread does.
 */
export function writeInTurn<Result>(
  turns: WriteTurns,
  writer: BackgroundWriter,
  work: () => Result,
): Result {
  takeTurn(turns, writer)
  try {
    return work()
  } finally {
    leaveTurn(turns, writer)
  }
}

/** Gives a turn back; also for a thread that ended in the middle of it. */
export function leaveTurn(turns: WriteTurns, writer: BackgroundWriter): void {
  if (Atomics.compareExchange(turns, TAKEN, writer, NOBODY) === writer) Atomics.notify(turns, TAKEN)
}

function takeTurn(turns: WriteTurns, writer: BackgroundWriter): void {
  for (;;) {
    const waiting = Atomics.load(turns, WAITING)
    if (waiting > 0) Atomics.wait(turns, WAITING, waiting, LONGEST_WAIT)
    const other = Atomics.compareExchange(turns, TAKEN, NOBODY, writer)
    if (other !== NOBODY) Atomics.wait(turns, TAKEN, other, LONGEST_WAIT)
    else if (Atomics.load(turns, WAITING) === 0) return
    else leaveTurn(turns, writer)
  }
}
