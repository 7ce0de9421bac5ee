import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseDataImage } from './data-image.ts'

const toAddress = (type: string, bytes: readonly number[] | string) =>
  `data:${type};base64,${(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : Buffer.from(bytes)).toString('base64')}`
const PNG = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2, 3]

describe('a picture in a data address', () => {
  it.each([
    ['image/png', PNG],
    ['image/jpeg', [0xff, 0xd8, 0xff, 0xe0]],
    ['image/gif', 'GIF89a…'],
    ['image/webp', 'RIFF\u0001\u0002\u0003\u0004WEBPVP8 '],
  ])('is %s by its first bytes', (type, bytes) => {
    expect(parseDataImage(toAddress(type, bytes))?.type).toBe(type)
    expect(parseDataImage(toAddress('image/anything', bytes))?.type).toBe(type)
  })

  it('row 24: is none when it could carry script, whatever type it claims', () => {
    for (const type of ['image/svg+xml', 'image/png', 'text/html']) {
      for (const content of ['<svg onload="alert(1)">', '<?xml version="1.0"?>', '<html>', ''])
        expect(parseDataImage(toAddress(type, content))).toBeNull()
    }
    expect(parseDataImage(toAddress('text/html', PNG))).toBeNull()
    expect(parseDataImage('data:image/png,plain')).toBeNull()
  })

  // oxlint-disable-next-line vitest/expect-expect -- the property says it
  it('is never found in any other text', () => {
    fc.assert(fc.property(fc.string(), (text) => parseDataImage(text) === null))
  })
})
