import { PREVIEW_BYTES, PREVIEW_SIDE, type Picture } from '#contract/images.ts'
import { call, endpoints } from '../../api/client.ts'

/** Minimum number of bytes; smaller pictures load fast enough without a preview. */
const LEAST_BYTES = 128 * 1024
const TYPE = 'image/webp'
/** Tried in order, as some pictures compress poorly. */
const ATTEMPTS = [
  { side: PREVIEW_SIDE, quality: 0.8 },
  { side: PREVIEW_SIDE, quality: 0.5 },
  { side: PREVIEW_SIDE / 2, quality: 0.5 },
]

/** Ids of pictures for which this window created a preview or failed to. */
const tried = new Set<string>()
/** Processed sequentially, as decoding a large picture takes memory. */
let last: Promise<void> = Promise.resolve()

/**
 * Returns the picture as WebP with the given number of pixels on its longer side; null if the
 * browser cannot encode WebP.
 */
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

/** Returns a preview that is small enough to store; null if none can be created. */
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
    // The full picture is still shown, and the next visit tries again.
  }
}

/**
 * Creates the missing preview of a picture from the element that has just loaded it, so that lists
 * load small previews from then on.
 */
export function keepPreview(
  { id, preview, bytes }: Pick<Picture, 'id' | 'preview' | 'bytes'>,
  image: HTMLImageElement,
): void {
  if (preview !== null || bytes < LEAST_BYTES || tried.has(id)) return
  tried.add(id)
  last = last.then(() => keep(id, image))
}
