const RATE = 16_000

/** Returns a WAV file containing a tone. */
export function writeTone(seconds = 0.4, hertz = 440): Buffer {
  const samples = Math.round(RATE * seconds)
  const bytes = Buffer.alloc(44 + samples * 2)
  bytes.write('RIFF', 0, 'latin1')
  bytes.writeUInt32LE(36 + samples * 2, 4)
  bytes.write('WAVEfmt ', 8, 'latin1')
  bytes.writeUInt32LE(16, 16)
  bytes.writeUInt16LE(1, 20)
  bytes.writeUInt16LE(1, 22)
  bytes.writeUInt32LE(RATE, 24)
  bytes.writeUInt32LE(RATE * 2, 28)
  bytes.writeUInt16LE(2, 32)
  bytes.writeUInt16LE(16, 34)
  bytes.write('data', 36, 'latin1')
  bytes.writeUInt32LE(samples * 2, 40)
  for (let sample = 0; sample < samples; sample += 1) {
    const value = Math.sin((2 * Math.PI * hertz * sample) / RATE) * 12_000
    bytes.writeInt16LE(Math.round(value), 44 + sample * 2)
  }
  return bytes
}
