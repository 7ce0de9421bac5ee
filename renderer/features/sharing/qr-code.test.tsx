// @vitest-environment jsdom
import { cleanup, render } from '@testing-library/react'
import decodeQR from 'qr/decode.js'
import { afterEach, expect, it } from 'vitest'
import { QrCode } from './qr-code.tsx'

/** Pixels per module, since a camera sees more than one of each. */
const SCALE = 6

/** Renders the dark squares of the path as a camera image. */
function paint(picture: SVGSVGElement): { width: number; height: number; data: Uint8Array } {
  const side =
    picture.viewBox.baseVal?.width || Number(picture.getAttribute('viewBox')!.split(' ')[2])
  const width = side * SCALE
  const data = new Uint8Array(width * width * 4).fill(255)
  const squares = picture
    .querySelector('path')!
    .getAttribute('d')!
    .matchAll(/M(\d+) (\d+)h1v1h-1z/g)
  for (const [, x, y] of squares)
    for (let place = 0; place < SCALE * SCALE; place += 1) {
      const column = Number(x) * SCALE + (place % SCALE)
      const row = Number(y) * SCALE + Math.floor(place / SCALE)
      data.fill(0, (row * width + column) * 4, (row * width + column) * 4 + 3)
    }
  return { width, height: width, data }
}

afterEach(cleanup)

it.each([
  'https://192.168.1.20:8443',
  `https://kitchen-computer.local:8443/guest#${'aB3_'.repeat(16)}`,
])('is read by a decoder as the address it stands for: %s', (text) => {
  const { getByRole } = render(<QrCode text={text} label="Address" />)
  const picture = getByRole('img', { name: 'Address' }) as unknown as SVGSVGElement
  expect(decodeQR(paint(picture))).toBe(text)
})
