// @vitest-environment jsdom
import { afterEach, expect, it, vi } from 'vitest'
import { PREVIEW_BYTES } from '#contract/images.ts'
import { fakeGateway } from '../../testing/fake-gateway.ts'
import { keepPreview } from './keep-preview.ts'

afterEach(() => vi.unstubAllGlobals())

const image = (width: number, height: number): HTMLImageElement => {
  const element = document.createElement('img')
  Object.defineProperties(element, {
    naturalWidth: { value: width },
    naturalHeight: { value: height },
  })
  return element
}

/** A browser that encodes every drawing as `blob`, and the sizes requested from it. */
function fakeDrawing(blob: (quality: number) => Blob) {
  const sizes: [number, number][] = []
  vi.stubGlobal('createImageBitmap', () => Promise.resolve({ close: () => undefined }))
  vi.stubGlobal(
    'OffscreenCanvas',
    class {
      constructor(width: number, height: number) {
        sizes.push([width, height])
      }
      getContext() {
        return { drawImage: () => undefined }
      }
      convertToBlob({ quality }: { quality: number }) {
        return Promise.resolve(blob(quality))
      }
    },
  )
  return sizes
}

const route = (id: string) => `PUT /api/v1/images/gallery/${id}/preview`
const large = (id: string) => ({ id, preview: null, bytes: 5_000_000 })

it('a large picture without a preview gets one that is no larger than a preview may be', async () => {
  const gateway = fakeGateway({ [route('wide')]: true, [route('line')]: true })
  const sizes = fakeDrawing(
    (quality) =>
      new Blob([new Uint8Array(quality > 0.7 ? PREVIEW_BYTES + 1 : 3)], { type: 'image/webp' }),
  )
  keepPreview(large('wide'), image(2048, 1024))
  keepPreview(large('wide'), image(2048, 1024))
  keepPreview(large('line'), image(9000, 2))
  await expect.poll(() => gateway.calls.length).toBe(2)
  expect(gateway.calls[0]!.body).toEqual({ data: 'AAAA' })
  expect(sizes).toEqual([
    [512, 256],
    [512, 256],
    [512, 1],
    [512, 1],
  ])
})

it('small pictures, those that have a preview, and browsers that write no WebP send nothing', async () => {
  const gateway = fakeGateway({ [route('last')]: true })
  const sizes = fakeDrawing(() => new Blob(['x'], { type: 'image/png' }))
  keepPreview({ id: 'small', preview: null, bytes: 900 }, image(64, 64))
  keepPreview({ id: 'kept', preview: '/preview', bytes: 5_000_000 }, image(64, 64))
  keepPreview(large('png'), image(1024, 1024))
  await expect.poll(() => sizes.length).toBe(1)
  fakeDrawing(() => new Blob(['x'], { type: 'image/webp' }))
  keepPreview(large('last'), image(1024, 1024))
  await expect.poll(() => gateway.calls.length).toBe(1)
  expect(gateway.calls[0]!.path).toContain('/last/')
})
