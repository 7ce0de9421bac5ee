/** The packets of a recording in Opus, and how its sound is laid out. */
export interface OpusPackets {
  readonly channels: number
  /** Samples of 48 kHz at the beginning that are not sound. */
  readonly preSkip: number
  readonly packets: Iterable<Uint8Array>
}

/** Reads the head that WebM and Ogg both have; null where it is none. */
export function readOpusHead(head: Uint8Array): Pick<OpusPackets, 'channels' | 'preSkip'> | null {
  const bytes = Buffer.from(head.buffer, head.byteOffset, head.byteLength)
  if (bytes.length < 19 || bytes.toString('latin1', 0, 8) !== 'OpusHead') return null
  return { channels: bytes[9]!, preSkip: bytes.readUInt16LE(10) }
}
