import { createReadStream } from 'node:fs'
import type { ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

/** `pipeline` adds seven for `close` alone. */
const LISTENERS_OF_A_PIPELINE = 10

/** Sends a stream no faster than it is taken. Fails when the signal ends it. */
export function sendStream(
  bytes: Readable,
  response: ServerResponse,
  signal: AbortSignal,
): Promise<void> {
  // @NOTE With those of the gateway itself they are more than the ten from which on Node takes
  //   listeners for a leak.
  response.setMaxListeners(response.getMaxListeners() + LISTENERS_OF_A_PIPELINE)
  return pipeline(bytes, response, { signal })
}

/** Sends the bytes of a file. */
export function sendFile(
  path: string,
  response: ServerResponse,
  { signal }: { signal: AbortSignal },
): Promise<void> {
  return sendStream(createReadStream(path), response, signal)
}
