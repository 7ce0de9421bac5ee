import type { RawData } from 'ws'
import { clientFrameSchema, type ClientFrame } from '#contract/events.ts'

/** Parses a client frame; returns null for anything the contract does not define. */
export function parseFrame(data: RawData): ClientFrame | null {
  try {
    // By default, ws passes one buffer per message.
    return clientFrameSchema.safeParse(JSON.parse((data as Buffer).toString('utf8'))).data ?? null
  } catch {
    return null
  }
}
