import type { RawData } from 'ws'
import { clientFrameSchema, type ClientFrame } from '#contract/events.ts'

/** Reads a client frame; null for anything the contract does not name. */
export function parseFrame(data: RawData): ClientFrame | null {
  try {
    // ws hands over one buffer per message unless told otherwise.
    return clientFrameSchema.safeParse(JSON.parse((data as Buffer).toString('utf8'))).data ?? null
  } catch {
    return null
  }
}
