import { createReadStream } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { pipeline } from 'node:stream/promises'

/** `pipeline` adds seven for `close` alone. */
const LISTENERS_OF_A_PIPELINE = 10

/**
 * Sends the bytes of a file, or a range of them, no faster than they are read. Fails when the
 * signal ends it.
 */
export function sendFile(
  path: string,
  response: ServerResponse,
  {
    signal,
    range = {},
  }: { signal: AbortSignal; range?: { readonly start?: number; readonly end?: number } },
): Promise<void> {
  // @NOTE With those of the gateway itself they are more than the ten from which on Node takes
  //   listeners for a leak.
  response.setMaxListeners(response.getMaxListeners() + LISTENERS_OF_A_PIPELINE)
  return pipeline(createReadStream(path, range), response, { signal })
}
