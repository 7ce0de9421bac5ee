import type { Readable } from 'node:stream'
import type { JsonBounds } from '../../lib/json/json-bounds.ts'
import { nextTurn, runAtOnce, runInTurns, SLICE_MILLISECONDS } from '../../lib/turns.ts'
import { FrameCutter } from './frames.ts'
import { parseFrame, SMALL_BYTES, type ReadFrame } from './parse-frame.ts'

export interface ReadFramesOptions {
  readonly output: Readable
  /** Returns the limits of one message; called for each. */
  readonly bounds: () => JsonBounds
  /** Called for each message in order, with its size in bytes. */
  readonly onFrame: (read: ReadFrame, bytes: number) => void
  /** Called when bytes were received or processed. */
  readonly onSign: () => void
  /** Called for bytes that are no message; nothing is read after them. */
  readonly onBroken: (error: unknown) => void
}

/**
 * Number of messages handled before other work runs: each may cause work that continues beyond its
 * slice.
 */
const FRAMES_IN_A_TURN = 32

async function readPiece(
  cutter: FrameCutter,
  piece: Buffer,
  { bounds, onFrame, onSign }: ReadFramesOptions,
): Promise<void> {
  onSign()
  let end = performance.now() + SLICE_MILLISECONDS
  let handled = 0
  for (const frame of cutter.take(piece)) {
    const steps = parseFrame(frame, bounds())
    onFrame(
      frame.payload.length <= SMALL_BYTES ? runAtOnce(steps) : await runInTurns(steps),
      frame.payload.length,
    )
    handled += 1
    if (handled < FRAMES_IN_A_TURN && performance.now() < end) continue
    await nextTurn()
    onSign()
    end = performance.now() + SLICE_MILLISECONDS
    handled = 0
  }
}

/**
 * Reads messages of a worker until its output ends. The worker waits meanwhile: one chunk is
 * processed before the next is read.
 */
export async function readFrames(options: ReadFramesOptions): Promise<void> {
  const cutter = new FrameCutter()
  try {
    for await (const piece of options.output as AsyncIterable<Buffer>) {
      try {
        await readPiece(cutter, piece, options)
      } catch (error) {
        return options.onBroken(error)
      }
    }
  } catch {
    // The pipe breaks if the worker has ended; its exit reports that.
  }
}
