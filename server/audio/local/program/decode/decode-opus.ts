import { OpusDecoder } from 'opus-decoder'
import { SpeechFault, unreadable } from '../fault.ts'
import type { OpusPackets } from './opus-packets.ts'
import { mix, RATE, Samples } from './samples.ts'

/** Packets decoded at once, few enough to notice a decompression bomb early. */
const BATCH = 100
const MOST_CHANNELS = 2

/** Decodes Opus packets. */
export async function decodeOpus({ channels, preSkip, packets }: OpusPackets): Promise<Samples> {
  if (channels < 1 || channels > MOST_CHANNELS)
    throw new SpeechFault(400, 'Recordings in Opus are taken with one or two channels.')
  const decoder = new OpusDecoder({ sampleRate: RATE, channels, preSkip })
  await decoder.ready
  const samples = new Samples(RATE)
  let heard = 0
  const decode = (batch: Uint8Array[]): void => {
    const { channelData, samplesDecoded } = decoder.decodeFrames(batch)
    heard += samplesDecoded
    if (samplesDecoded > 0) samples.push(mix(channelData))
  }
  try {
    let batch: Uint8Array[] = []
    for (const packet of packets) {
      batch.push(packet)
      if (batch.length < BATCH) continue
      decode(batch)
      batch = []
    }
    if (batch.length > 0) decode(batch)
  } finally {
    decoder.free()
  }
  if (heard === 0) throw unreadable()
  return samples
}
