import { nextTurn, SLICE_MILLISECONDS } from '../turns.ts'

/**
 * Receives the body of a reply as it arrives. `onData` returns false to pause the upstream until
 * `resume`.
 */
export interface ReplySink {
  onData(chunk: Buffer): boolean
  /** Returns the memory for the next chunk, for a sink that assembles the chunks. */
  room?(length: number): Buffer | null
  onEnd(): void
  onFailure(error: Error): void
}

/** Source of the chunks. */
export interface PieceSource {
  /** Delivers no further chunks until `goOn`, except those it has already read. */
  hold(): void
  goOn(): void
  /** Ends at once, because the reader threw. */
  breakOff(cause: unknown): void
  /** Called when the reader has received everything. */
  settle(): void
}

export const toError = (thrown: unknown): Error =>
  thrown instanceof Error ? thrown : new Error(String(thrown))

/** Number of bytes kept while there is no reader yet, before the source is paused. */
const EARLY_BYTES = 256 * 1024

/** Size of the chunks in which kept bytes are delivered. */
const PIECE_BYTES = 64 * 1024

/**
 * Number of bytes of one reply that indicates a sender faster than the processing: more of them are
 * already waiting.
 */
const LARGE_BYTES = 16 * 1024

/**
 * Number of bytes in a turn below which a reply is delivered at once, because it hardly delays the
 * others.
 */
const SMALL_BYTES = 2 * 1024

/**
 * Turn of the event loop in which a reply brought much data, and the start time of its slice; null
 * in all other turns.
 */
const busy = { turn: 0, since: null as number | null }

function beginSlice(): void {
  if (busy.since === null) setImmediate(() => (busy.since = null))
  busy.turn += 1
  busy.since = performance.now()
}

const isSliceOver = (): boolean =>
  busy.since !== null && performance.now() - busy.since > SLICE_MILLISECONDS

const waiting: PacedDelivery[] = []

/** Delivers kept bytes, one slice in each turn of the event loop. */
async function serveWaiting(): Promise<void> {
  while (waiting.length > 0) {
    await nextTurn()
    beginSlice()
    do waiting.shift()?.serve()
    while (waiting.length > 0 && !isSliceOver())
  }
}

function enqueue(delivery: PacedDelivery): void {
  if (waiting.push(delivery) === 1) void serveWaiting()
}

/**
 * Delivers the body of a reply to its reader, in order and to its end. Many replies may bring much
 * data at the same time: once a slice of a turn of the event loop is used up, a chunk is kept, its
 * source paused, and the chunk delivered in a later turn. An end or a failure waits behind the kept
 * bytes, which are no more than the source had already read.
 */
export class PacedDelivery {
  readonly #source: PieceSource
  #sink: ReplySink | null = null
  #kept: Buffer[] = []
  #keptBytes = 0
  /** Bytes of this reply in a busy turn, otherwise since its last large amount. */
  #bytes = 0
  #turn = 0
  /** True if its reader has paused it, and true if it waits for a turn of the event loop. */
  #isPaused = false
  #isWaiting = false
  /** End of the source, and a flag that is true once the reader was notified. */
  #ending: { readonly error: Error | null } | null = null
  #isOver = false

  constructor(source: PieceSource) {
    this.#source = source
  }

  /** True if the reader has received everything. */
  get isOver(): boolean {
    return this.#isOver
  }

  /**
   * Returns the memory for the next chunk; null if it needs separate memory, as a buffered chunk
   * does.
   */
  room(length: number): Buffer | null {
    return this.#kept.length === 0 ? (this.#sink?.room?.(length) ?? null) : null
  }

  push(chunk: Buffer): void {
    if (this.#ending || chunk.length === 0) return
    if (!this.#sink) return this.#keep(chunk, this.#keptBytes + chunk.length >= EARLY_BYTES)
    if (this.#isPaused || this.#isWaiting || this.#kept.length > 0) return this.#keep(chunk, true)
    if (this.#mayHandOver(chunk.length)) return this.#handOver(chunk)
    this.#keep(chunk, true)
    this.#wait()
  }

  end(): void {
    this.#finish(null)
  }

  fail(error: Error): void {
    this.#finish(error)
  }

  /** Fails at once; kept bytes are dropped. */
  drop(error: Error): void {
    if (this.#isOver) return
    this.#kept = []
    this.#keptBytes = 0
    this.#ending = { error }
    if (this.#sink) this.#tell()
  }

  read(sink: ReplySink): void {
    this.#sink = sink
    if (this.#kept.length > 0 && !this.#mayHandOver(this.#keptBytes)) this.#wait()
    else this.#goOn()
  }

  pause(): void {
    this.#isPaused = true
    if (!this.#ending) this.#source.hold()
  }

  resume(): void {
    this.#isPaused = false
    if (this.#isWaiting || this.#isOver) return
    if (this.#kept.length > 0) this.#wait()
    else if (!this.#ending) this.#source.goOn()
  }

  /** Delivers kept bytes; called in a separate turn. */
  serve(): void {
    this.#isWaiting = false
    this.#goOn()
  }

  /** Returns true if there is time for this many bytes in the current turn of the event loop. */
  #mayHandOver(bytes: number): boolean {
    if (busy.since === null) {
      this.#bytes += bytes
      if (this.#bytes < LARGE_BYTES) return true
      beginSlice()
      this.#turn = busy.turn
      return true
    }
    if (this.#turn !== busy.turn) {
      this.#turn = busy.turn
      this.#bytes = 0
    }
    this.#bytes += bytes
    return this.#bytes < SMALL_BYTES || !isSliceOver()
  }

  #wait(): void {
    this.#isWaiting = true
    enqueue(this)
  }

  #keep(chunk: Buffer, isHeld: boolean): void {
    this.#kept.push(chunk)
    this.#keptBytes += chunk.length
    if (isHeld) this.#source.hold()
  }

  /** Returns the kept bytes in one piece: many small ones cost more than the copy. */
  #takeKept(): Buffer {
    let [count, bytes] = [0, 0]
    while (
      count < this.#kept.length &&
      (count === 0 || bytes + this.#kept[count]!.length <= PIECE_BYTES)
    )
      bytes += this.#kept[count++]!.length
    const pieces = this.#kept.splice(0, count)
    this.#keptBytes -= bytes
    return pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces, bytes)
  }

  #handOver(chunk: Buffer): void {
    try {
      if (!this.#sink!.onData(chunk)) this.pause()
    } catch (error) {
      this.#source.breakOff(error)
    }
  }

  #goOn(): void {
    while (this.#kept.length > 0) {
      if (this.#isOver || this.#isPaused || this.#isWaiting) return
      this.#handOver(this.#takeKept())
      if (this.#kept.length > 0 && !this.#isPaused && isSliceOver()) return this.#wait()
    }
    if (this.#isOver) return
    if (this.#ending) this.#tell()
    else if (!this.#isPaused && !this.#isWaiting) this.#source.goOn()
  }

  #finish(error: Error | null): void {
    if (this.#ending) return
    this.#ending = { error }
    if (this.#sink && this.#kept.length === 0) this.#tell()
  }

  #tell(): void {
    const { error } = this.#ending!
    this.#isOver = true
    this.#source.settle()
    if (error) return this.#tellFailure(error)
    try {
      this.#sink!.onEnd()
    } catch (thrown) {
      this.#tellFailure(toError(thrown))
    }
  }

  /**
   * @NOTE Errors thrown by a sink must not leave this method: undici emits them as an event without
   *   a listener, which ends the process.
   */
  #tellFailure(error: Error): void {
    try {
      this.#sink!.onFailure(error)
    } catch {
      // The sink was notified, and receives nothing else.
    }
  }
}
