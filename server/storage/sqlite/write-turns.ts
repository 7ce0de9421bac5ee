/**
 * Writers of a database shared by several threads: the number of the main thread's waiting writes,
 * and the background thread that is writing.
 */
export type WriteTurns = Int32Array<SharedArrayBuffer>

const WAITING = 0
const TAKEN = 1
const NOBODY = 0
/** Background threads that write, by their value in the turns. */
export const BACKGROUND = { deletions: 1, index: 2, checkpoints: 3 } as const
export type BackgroundWriter = (typeof BACKGROUND)[keyof typeof BACKGROUND]

/** Maximum wait for other threads, in milliseconds; after it SQLite's own lock decides. */
const LONGEST_WAIT = 100

export const createWriteTurns = (): WriteTurns =>
  new Int32Array(new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT))

/**
 * Announces a write of the main thread, which has priority: no other thread starts one until
 * `endWrite`. Returns a promise for a current write; undefined if there is none.
 */
export function writeSoon(turns: WriteTurns): Promise<unknown> | undefined {
  Atomics.add(turns, WAITING, 1)
  const writer = Atomics.load(turns, TAKEN)
  if (writer === NOBODY) return undefined
  // SQLite would sleep for fixed times, in which another thread could take the turn again and
  // again.
  const wait = Atomics.waitAsync(turns, TAKEN, writer, LONGEST_WAIT)
  return wait.async ? stayAwake(wait.value) : undefined
}

/** Keeps the process alive meanwhile: Node exits if the only pending work is a wait for memory. */
async function stayAwake(wait: Promise<unknown>): Promise<void> {
  const awake = setInterval(() => undefined, LONGEST_WAIT)
  await wait
  clearInterval(awake)
}

/** Lets other threads write again. */
export function endWrite(turns: WriteTurns): void {
  if (Atomics.sub(turns, WAITING, 1) === 1) Atomics.notify(turns, WAITING)
}

/**
 * Writes from a background thread, when neither the main thread nor another thread wants to write.
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

/** Releases a turn; also for a thread that ended during it. */
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
