const RATE = 16_000
const SECONDS = 1
const HERTZ = 440

/** Returns one second of a tone as a WAV file, for testing a recognition engine. */
export function writeTestTone(): Blob {
  const samples = RATE * SECONDS
  const view = new DataView(new ArrayBuffer(44 + samples * 2))
  const write = (at: number, text: string): void => {
    for (let index = 0; index < text.length; index += 1)
      view.setUint8(at + index, text.charCodeAt(index))
  }
  write(0, 'RIFF')
  view.setUint32(4, 36 + samples * 2, true)
  write(8, 'WAVEfmt ')
  view.setUint32(16, 16, true)
  view.setUint16(20, 1, true)
  view.setUint16(22, 1, true)
  view.setUint32(24, RATE, true)
  view.setUint32(28, RATE * 2, true)
  view.setUint16(32, 2, true)
  view.setUint16(34, 16, true)
  write(36, 'data')
  view.setUint32(40, samples * 2, true)
  for (let sample = 0; sample < samples; sample += 1) {
    const value = Math.sin((2 * Math.PI * HERTZ * sample) / RATE)
    view.setInt16(44 + sample * 2, Math.round(value * 8000), true)
  }
  return new Blob([view], { type: 'audio/wav' })
}
