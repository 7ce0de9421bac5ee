import type { ServerResponse } from 'node:http'
import { firstTurn, nextTurn, SLICE_MILLISECONDS } from '../turns.ts'

/** Number of characters at which a slice is sent, however quickly they were generated. */
const SLICE_CHARACTERS = 256 * 1024

/** Waits until the reader has consumed the written data, or is gone. */
function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      response.off('drain', done).off('close', done)
      resolve()
    }
    response.on('drain', done).on('close', done)
  })
}

async function takeSlice(
  pieces: Iterator<string> | AsyncIterator<string>,
): Promise<{ text: string; isLast: boolean }> {
  const end = performance.now() + SLICE_MILLISECONDS
  let text = ''
  while (text.length < SLICE_CHARACTERS && performance.now() < end) {
    const step = pieces.next()
    const next = step instanceof Promise ? await step : step
    if (next.done) return { text, isLast: true }
    text += next.value
  }
  return { text, isLast: false }
}

/**
 * Sends a long reply while it is generated: at most one slice at a time is in memory, a slow reader
 * pauses the generation and one that disconnects ends it. `send` receives replies that fit into one
 * slice; `begin` writes the head of all others.
 */
export async function sendPieces(
  response: ServerResponse,
  source: Iterable<string> | AsyncIterable<string>,
  { send, begin }: { send: (text: string) => void; begin: () => void },
): Promise<void> {
  const pieces =
    Symbol.asyncIterator in source ? source[Symbol.asyncIterator]() : source[Symbol.iterator]()
  try {
    const first = firstTurn()
    if (first) await first
    while (!response.destroyed) {
      const { text, isLast } = await takeSlice(pieces)
      if (isLast && !response.headersSent) return send(text)
      if (text !== '' && !response.headersSent) begin()
      if (isLast) return void response.end(text)
      if (text !== '' && !response.write(text) && !response.destroyed) await drained(response)
      await nextTurn()
    }
  } finally {
    await pieces.return?.()
  }
}
