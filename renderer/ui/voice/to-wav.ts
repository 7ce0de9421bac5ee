/** Sample rate that speech models work at. */
const RATE = 16_000
const HEAD_BYTES = 44
const SAMPLE_BYTES = 2
/** Engines of vendors take at most 25 MB; a longer recording is sent as it is. */
const MOST_BYTES = 20_000_000

/** Returns a WAV file with one channel, which is the mean of those given. */
export function encodeWav(channels: readonly Float32Array[]): Blob {
  const length = channels[0]?.length ?? 0
  const size = length * SAMPLE_BYTES
  const view = new DataView(new ArrayBuffer(HEAD_BYTES + size))
  const write = (at: number, text: string): void => {
    for (let index = 0; index < text.length; index += 1)
      view.setUint8(at + index, text.charCodeAt(index))
  }
  write(0, 'RIFF')
  view.setUint32(4, HEAD_BYTES - 8 + size, true)
  write(8, 'WAVEfmt ')
  view.setUint32(16, 16, true)
  view.setUint16(20, 1, true)
  view.setUint16(22, 1, true)
  view.setUint32(24, RATE, true)
  view.setUint32(28, RATE * SAMPLE_BYTES, true)
  view.setUint16(32, SAMPLE_BYTES, true)
  view.setUint16(34, SAMPLE_BYTES * 8, true)
  write(36, 'data')
  view.setUint32(40, size, true)
  for (let index = 0; index < length; index += 1) {
    let sum = 0
    for (const channel of channels) sum += channel[index]!
    const sample = Math.max(-1, Math.min(1, sum / channels.length))
    view.setInt16(HEAD_BYTES + index * SAMPLE_BYTES, Math.round(sample * 32_767), true)
  }
  return new Blob([view.buffer], { type: 'audio/wav' })
}

/**
 * Converts a recording to WAV with the browser's own decoder; null if it cannot be decoded, or
 * would become too large.
 */
export async function toWav(recorded: Blob): Promise<Blob | null> {
  try {
    const decoder = new OfflineAudioContext(1, 1, RATE)
    const sound = await decoder.decodeAudioData(await recorded.arrayBuffer())
    if (sound.length * SAMPLE_BYTES > MOST_BYTES) return null
    const count = sound.numberOfChannels
    return encodeWav(Array.from({ length: count }, (_, index) => sound.getChannelData(index)))
  } catch {
    return null
  }
}
