import { PREVIEW_BYTES, PREVIEW_SIDE, type Picture } from '#contract/images.ts'
import { call, endpoints } from '../../api/client.ts'

/** A picture with fewer bytes is quick enough as it is. */
const LEAST_BYTES = 128 * 1024
const TYPE = 'image/webp'
/** Tried in turn, as some pictures pack badly. */
const ATTEMPTS = [
  { side: PREVIEW_SIDE, quality: 0.8 },
  { side: PREVIEW_SIDE, quality: 0.5 },
  { side: PREVIEW_SIDE / 2, quality: 0.5 },
]

/** Pictures whose preview was made here, or could not be. */
const tried = new Set<string>()
/** One at a time, as unpacking a large picture takes memory. */
let last: Promise<void> = Promise.resolve()

/** The picture as WebP whose longer side has so many pixels; null where the browser writes none. */
async function draw(
  image: HTMLImageElement,
  { side, quality }: (typeof ATTEMPTS)[number],
): Promise<Blob | null> {
  const { naturalWidth, naturalHeight } = image
  const scale = Math.min(1, side / Math.max(naturalWidth, naturalHeight))
  const toScale = (length: number): number => Math.max(1, Math.round(length * scale))
  const [width, height] = [toScale(naturalWidth), toScale(naturalHeight)]
  const size = { resizeWidth: width, resizeHeight: height }
  const bitmap = await createImageBitmap(image, { ...size, resizeQuality: 'medium' })
  const canvas = new OffscreenCanvas(width, height)
  canvas.getContext('2d')?.drawImage(bitmap, 0, 0)
  bitmap.close()
  const blob = await canvas.convertToBlob({ type: TYPE, quality })
  return blob.type === TYPE ? blob : null
}

/** A picture that is small enough to be kept; null where none can be made. */
async function shrink(image: HTMLImageElement): Promise<Blob | null> {
  for (const attempt of ATTEMPTS) {
    const blob = await draw(image, attempt)
    if (blob === null || blob.size <= PREVIEW_BYTES) return blob
  }
  return null
}

async function toBase64(blob: Blob): Promise<string> {
  const bytes = new Uint8Array(await blob.arrayBuffer())
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
}

async function keep(id: string, image: HTMLImageElement): Promise<void> {
  try {
    const blob = await shrink(image)
    if (blob === null) return
    const body = { data: await toBase64(blob) }
    await call(endpoints.images.keepPreview, { params: { picture_id: id }, body })
  } catch {
    // The picture itself is shown all the same, and the next visit tries again.
  }
}

/**
 * Makes the preview of a picture that has none, from the element that has just loaded it, so that
 * lists load no more than they show from then on.
 */
export function keepPreview(
  { id, preview, bytes }: Pick<Picture, 'id' | 'preview' | 'bytes'>,
  image: HTMLImageElement,
): void {
  if (preview !== null || bytes < LEAST_BYTES || tried.has(id)) return
  tried.add(id)
  last = last.then(() => keep(id, image))
}
