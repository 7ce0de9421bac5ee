import type { IncomingMessage } from 'node:http'
import { crc32, deflateSync } from 'node:zlib'

const SIZE = 96
const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
/**
 * 8 bits per channel, red, green and blue, with the only defined compression, filter method and no
 * interlacing.
 */
const FORMAT = [8, 2, 0, 0, 0]
const WHITE = [255, 255, 255] as const

/**
 * Returns true if a client accepts SVG images; browsers do, image views of phones show nothing for
 * them.
 */
export const takesDrawings = ({ headers }: IncomingMessage): boolean =>
  (headers.accept ?? '').includes('image/svg+xml')

function toPart(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, sum])
}

/** Returns true inside the shape of a head above shoulders. */
const isPerson = (x: number, y: number): boolean =>
  Math.hypot(x - SIZE / 2, y - 38) < 17 || Math.hypot((x - SIZE / 2) / 32, (y - 92) / 31) < 1

/** Returns a colour of the given hue, dark enough for white to stand out. */
function toColour(hue: number): readonly [number, number, number] {
  const [saturation, lightness] = [0.45, 0.38]
  const channel = (offset: number): number => {
    const step = (offset + hue / 30) % 12
    return Math.round(
      255 * (lightness - saturation * lightness * Math.max(-1, Math.min(step - 3, 9 - step, 1))),
    )
  }
  return [channel(0), channel(8), channel(4)]
}

/**
 * Draws the built-in picture of a user or item as a PNG: a person on a coloured background, from a
 * hue in degrees.
 */
export function drawPortrait(hue: number): Buffer {
  const background = toColour(hue)
  const row = 1 + SIZE * 3
  const pixels = Buffer.alloc(row * SIZE)
  for (let y = 0; y < SIZE; y += 1) {
    for (let x = 0; x < SIZE; x += 1)
      pixels.set(isPerson(x, y) ? WHITE : background, y * row + 1 + x * 3)
  }
  const header = Buffer.alloc(8 + FORMAT.length)
  header.writeUInt32BE(SIZE, 0)
  header.writeUInt32BE(SIZE, 4)
  header.set(FORMAT, 8)
  return Buffer.concat([
    SIGNATURE,
    toPart('IHDR', header),
    toPart('IDAT', deflateSync(pixels)),
    toPart('IEND', Buffer.alloc(0)),
  ])
}
