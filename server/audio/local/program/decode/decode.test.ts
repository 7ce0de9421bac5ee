import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { createTemporaryFolder } from '../../../../testing/create-temporary-folder.ts'
import { writeTone } from '../../../../testing/write-tone.ts'
import { writeWebm } from '../../../../testing/write-webm.ts'
import { decode } from './decode.ts'
import { readOgg } from './read-ogg.ts'
import { Samples } from './samples.ts'

const OPUS = readFileSync(path.join(import.meta.dirname, '../../__fixtures__/good-morning.opus'))
const MP3 = readFileSync(path.join(import.meta.dirname, '../../__fixtures__/good-morning.mp3'))
const RATE = 16_000

function keep(bytes: Buffer): string {
  const file = path.join(createTemporaryFolder(), 'sound.recording')
  writeFileSync(file, bytes)
  return file
}

async function samplesOf(bytes: Buffer): Promise<Int16Array> {
  const sound = await decode(keep(bytes))
  if (!('samples' in sound)) throw new Error('It was left to the engine.')
  return sound.samples
}

const loudest = (samples: Int16Array): number =>
  samples.reduce((most, each) => Math.max(most, Math.abs(each)), 0)

/** Returns the frequency of the sound in Hz, counted from its zero crossings. */
function pitchOf(samples: Int16Array, seconds: number): number {
  let crossings = 0
  for (let index = 1; index < samples.length; index += 1)
    if (samples[index - 1]! < 0 && samples[index]! >= 0) crossings += 1
  return crossings / seconds
}

/** Returns a WAV file with a tone of 440 Hz in samples of the given format. */
function writeWav(kind: number, bits: number, rate: number, channels: number): Buffer {
  const frames = rate * 2
  const width = bits / 8
  const data = Buffer.alloc(frames * channels * width)
  for (let frame = 0; frame < frames; frame += 1) {
    const value = Math.sin((frame / rate) * 440 * 2 * Math.PI) * 0.5
    for (let channel = 0; channel < channels; channel += 1) {
      const at = (frame * channels + channel) * width
      if (kind === 3) data.writeFloatLE(value, at)
      else if (bits === 8) data.writeUInt8(Math.round(value * 127) + 128, at)
      else data.writeIntLE(Math.round(value * (2 ** (bits - 1) - 1)), at, width)
    }
  }
  const head = Buffer.alloc(44)
  head.write('RIFF', 0)
  head.write('WAVEfmt ', 8)
  head.writeUInt32LE(16, 16)
  head.writeUInt16LE(kind, 20)
  head.writeUInt16LE(channels, 22)
  head.writeUInt32LE(rate, 24)
  head.writeUInt16LE(bits, 34)
  head.write('data', 36)
  head.writeUInt32LE(data.length, 40)
  return Buffer.concat([head, data])
}

test.each([
  [1, 8, 8000, 1],
  [1, 16, 16_000, 1],
  [1, 16, 44_100, 2],
  [1, 24, 48_000, 1],
  [1, 32, 22_050, 2],
  [3, 32, 96_000, 1],
])('reads WAV of kind %i with %i bits, %i samples a second and %i channels', async (...form) => {
  const samples = await samplesOf(writeWav(...form))
  expect(Math.abs(samples.length - 2 * RATE)).toBeLessThan(8)
  expect(Math.abs(pitchOf(samples, 2) - 440)).toBeLessThan(2)
  expect(loudest(samples)).toBeGreaterThan(14_000)
  expect(loudest(samples)).toBeLessThan(17_000)
})

test('reads Opus in Ogg and in WebM alike', async () => {
  const ogg = await samplesOf(OPUS)
  expect(ogg.length / RATE).toBeGreaterThan(0.5)
  expect(loudest(ogg)).toBeGreaterThan(2000)
  const { packets } = readOgg(OPUS)
  // The header is in the first page, after the page's own header of 28 bytes.
  const webm = writeWebm(OPUS.subarray(28, 47), packets)
  expect(await samplesOf(webm)).toEqual(ogg)
})

test('leaves MP3 to the engine, once it knows how long it is', async () => {
  const file = keep(MP3)
  expect(await decode(file)).toEqual({ file })
})

test.each<readonly [string, () => Buffer, RegExp]>([
  ['text', () => Buffer.from('This is no recording at all.'), /cannot be read/],
  ['nothing', () => Buffer.alloc(0), /cannot be read/],
  [
    'M4A',
    () => Buffer.from('\0\0\0\u0020ftypM4A mp42isom', 'latin1'),
    /no decoder for AAC.*WAV, MP3, WebM or Ogg.*ffmpeg/,
  ],
  ['FLAC', () => Buffer.from('fLaC'), /WAV, MP3, WebM or Ogg/],
  ['a head of WAV alone', () => writeTone().subarray(0, 30), /damaged/],
  [
    'Vorbis',
    () => Buffer.concat([OPUS.subarray(0, 28), Buffer.from('\u0001vorbis')]),
    /Opus alone/,
  ],
  ['WebM without sound', () => writeWebm(Buffer.alloc(19), []), /Opus alone/],
  ['WebM that is cut off at once', () => Buffer.from('1a45dfa3', 'hex'), /no sound/],
  ['Opus without packets', () => OPUS.subarray(0, 47), /damaged/],
  ['packed WAV', () => writeWav(17, 8, 8000, 1), /not compressed/],
  ['noise in WebM', () => Buffer.concat([Buffer.from('1a45dfa3', 'hex'), Buffer.alloc(99)]), /./],
])('refuses %s in words', async (_, write, words) => {
  await expect(decode(keep(write()))).rejects.toThrow(words)
})

test('sound that goes on and on is refused before it fills the memory', () => {
  const samples = new Samples(RATE)
  const tenMinutes = new Float32Array(RATE * 600)
  expect(() => {
    for (let index = 0; index < 13; index += 1) samples.push(tenMinutes)
  }).toThrow(/longer than 2 hours/)
})

test('an MP3 of days is refused by its length alone', async () => {
  const frame = Buffer.alloc(24)
  // 8 kilobits a second at 8 kHz: 72 milliseconds in 72 bytes.
  frame.writeUInt32BE(0xff_e3_18_c4)
  const frames = Buffer.concat(
    Array.from({ length: 110_000 }, () => Buffer.concat([frame, Buffer.alloc(48)])),
  )
  await expect(decode(keep(frames))).rejects.toThrow(/longer than 2 hours/)
}, 60_000)
