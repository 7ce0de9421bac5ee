/** The Opus packets of a recording, and the layout of its audio. */
export interface OpusPackets {
  readonly channels: number
  /** Samples at 48 kHz to skip at the beginning, which are not audio. */
  readonly preSkip: number
  readonly packets: Iterable<Uint8Array>
}

/** Parses the Opus header used by both WebM and Ogg; returns null if it is invalid. */
export function readOpusHead(head: Uint8Array): Pick<OpusPackets, 'channels' | 'preSkip'> | null {
  const bytes = Buffer.from(head.buffer, head.byteOffset, head.byteLength)
  if (bytes.length < 19 || bytes.toString('latin1', 0, 8) !== 'OpusHead') return null
  return { channels: bytes[9]!, preSkip: bytes.readUInt16LE(10) }
}
