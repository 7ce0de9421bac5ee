import type { RawData } from 'ws'
import { clientFrameSchema, type ClientFrame } from '#contract/events.ts'
import { parseOrNull } from '../lib/json/parse-or-null.ts'

/** Parses a client frame; returns null for anything the contract does not define. */
export function parseFrame(data: RawData): ClientFrame | null {
  // By default, ws passes one buffer per message.
  const text = (data as Buffer).toString('utf8')
  return clientFrameSchema.safeParse(parseOrNull(text)).data ?? null
}
