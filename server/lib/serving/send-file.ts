import { createReadStream } from 'node:fs'
import type { ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

/** Listeners reserved for a pipeline; `pipeline` adds seven for `close` alone. */
const LISTENERS_OF_A_PIPELINE = 10

/** Sends a stream at the pace of its reader. Fails if the signal aborts it. */
export function sendStream(
  bytes: Readable,
  response: ServerResponse,
  signal: AbortSignal,
): Promise<void> {
  // @NOTE Together with those of the gateway itself there are more than ten, from which Node
  //   warns of a leak.
  response.setMaxListeners(response.getMaxListeners() + LISTENERS_OF_A_PIPELINE)
  return pipeline(bytes, response, { signal })
}

export function sendFile(
  path: string,
  response: ServerResponse,
  { signal }: { signal: AbortSignal },
): Promise<void> {
  return sendStream(createReadStream(path), response, signal)
}
