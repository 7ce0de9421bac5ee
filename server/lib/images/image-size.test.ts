import { expect, it } from 'vitest'
import { drawPng } from '../../testing/draw-png.ts'
import { measureImage } from './image-size.ts'

const jpeg = (height: number, width: number): Buffer => {
  const frame = Buffer.from([
    0xff,
    0xc2,
    0,
    17,
    8,
    height >> 8,
    height & 255,
    width >> 8,
    width & 255,
    3,
  ])
  return Buffer.concat([
    Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 4, 1, 2, 0xff, 0xff]),
    frame,
    Buffer.alloc(20),
  ])
}
const webp = (kind: string, body: readonly number[]): Buffer =>
  Buffer.concat([
    Buffer.from(`RIFF\0\0\0\0WEBP${kind}\0\0\0\0`, 'latin1'),
    Buffer.from(body),
    Buffer.alloc(20),
  ])

it.each([
  ['image/png', drawPng(31, 7), 31, 7],
  ['image/gif', Buffer.from('GIF89a\x1f\x00\x07\x01\x00\x00', 'latin1'), 31, 263],
  ['image/jpeg', jpeg(300, 700), 700, 300],
  ['image/webp', webp('VP8X', [0, 0, 0, 0, 0x0f, 0x27, 0, 0x1f, 0, 0]), 10_000, 32],
  ['image/webp', webp('VP8 ', [0, 0, 0, 0x9d, 1, 0x2a, 0x40, 1, 0xf0, 0]), 320, 240],
  ['image/webp', webp('VP8L', [0x2f, 0x3f, 0xc1, 0x3b, 0]), 320, 240],
])('reads the size of %s from its head', (type, bytes, width, height) => {
  expect(measureImage(type, bytes)).toEqual({ width, height })
})

it('says nothing of heads that are cut off or make no sense, and ends', () => {
  for (const type of ['image/png', 'image/gif', 'image/jpeg', 'image/webp', 'text/plain']) {
    expect(measureImage(type, Buffer.alloc(3))).toBeNull()
    expect(measureImage(type, Buffer.alloc(64))).toBeNull()
  }
  expect(
    measureImage(
      'image/jpeg',
      Buffer.concat([Buffer.from([0xff, 0xd8]), Buffer.alloc(10_000, 0xff)]),
    ),
  ).toBeNull()
  expect(
    measureImage(
      'image/jpeg',
      Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 0]), Buffer.alloc(50)]),
    ),
  ).toBeNull()
})
