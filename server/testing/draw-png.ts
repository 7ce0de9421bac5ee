import { crc32, deflateSync } from 'node:zlib'

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const frame = Buffer.alloc(8)
  frame.writeUInt32BE(data.length, 0)
  frame.writeUInt32BE(crc32(body), 4)
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)])
}

function assemble(width: number, height: number, pixels: Buffer): Buffer {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  // Eight bits of red, green and blue each.
  head.set([8, 2, 0, 0, 0], 8)
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([
    signature,
    chunk('IHDR', head),
    chunk('IDAT', pixels),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

/** Returns an image of one color. */
export function drawPng(
  width = 8,
  height = 8,
  colour: readonly [number, number, number] = [200, 60, 30],
): Buffer {
  const line = Buffer.concat([
    Buffer.from([0]),
    Buffer.from(Array.from({ length: width }, () => colour).flat()),
  ])
  return assemble(
    width,
    height,
    deflateSync(Buffer.concat(Array.from({ length: height }, () => line))),
  )
}

/** Returns an incompressible image of about this many bytes. */
export function drawNoisyPng(bytes: number): Buffer {
  const side = Math.max(1, Math.round(Math.sqrt(bytes / 3)))
  const lines = Buffer.alloc(side * (side * 3 + 1))
  // A deterministic generator, so that the same call draws the same image.
  let state = 88_172_645
  for (let at = 0; at < lines.length; at += 1) {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    lines[at] = at % (side * 3 + 1) === 0 ? 0 : state & 0xff
  }
  return assemble(side, side, deflateSync(lines, { level: 0 }))
}

/** Returns a few bytes that claim to be an image of this size. */
export const claimPng = (width: number, height: number): Buffer =>
  assemble(width, height, deflateSync(Buffer.alloc(1024)))
