import { bitmapType } from '../lib/images/data-image.ts'
import { badRequest } from '../lib/errors.ts'
import { measureImage, type ImageSize } from '../lib/images/image-size.ts'
import type { Settings } from '../settings/index.ts'

/** An image whose format and dimensions are known from its header. */
export interface CheckedPicture extends ImageSize {
  readonly bytes: Buffer
  readonly type: string
}

const MEGA = 1_000_000

export const mostPictureBytes = (
  settings: Settings<'IMAGE_MAX_PIXELS' | 'IMAGE_MAX_SIZE'>,
): number => settings.get('IMAGE_MAX_SIZE') * MEGA

/**
 * Throws 400 with an error message if it is not an image, too large, or would be too large in
 * memory once decoded.
 */
export function checkPicture(
  settings: Settings<'IMAGE_MAX_PIXELS' | 'IMAGE_MAX_SIZE'>,
  bytes: Buffer,
): CheckedPicture {
  const type = bitmapType(bytes)
  const size = type === null ? null : measureImage(type, bytes)
  if (type === null || !size)
    throw badRequest('This is not a PNG, JPEG, GIF or WebP image.', { code: 'no_picture' })
  const most = settings.get('IMAGE_MAX_SIZE')
  if (bytes.length > most * MEGA)
    throw badRequest(`The picture is larger than ${most} MB, which is more than is taken.`, {
      code: 'picture_too_large',
    })
  const pixels = settings.get('IMAGE_MAX_PIXELS')
  if (size.width * size.height > pixels * MEGA)
    throw badRequest(
      `The picture is ${size.width} by ${size.height} pixels, more than the ${pixels} megapixels that are taken.`,
      { code: 'picture_too_large' },
    )
  return { ...size, bytes, type }
}
