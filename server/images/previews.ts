import type { IncomingMessage, ServerResponse } from 'node:http'
import { PREVIEW_BYTES, PREVIEW_SIDE } from '#contract/images.ts'
import { bitmapType } from '../lib/images/data-image.ts'
import { hasTag } from '../lib/serving/entity-tag.ts'
import { badRequest, notFound } from '../lib/errors.ts'
import { measureImage } from '../lib/images/image-size.ts'
import { missingPicture, requireRow } from './gallery.ts'
import type { MakeParts } from './make-pictures.ts'

const TYPE = 'image/webp'

const unfit = () =>
  badRequest(
    `A preview is a WebP picture of at most ${PREVIEW_SIDE} by ${PREVIEW_SIDE} pixels and ${PREVIEW_BYTES / 1024} kB.`,
    { code: 'no_preview' },
  )

/**
 * Stores the preview created by a window of the owner.
 *
 * @NOTE Browsers create previews, because they decode untrusted images in a sandboxed process; the
 *   gateway itself never decodes one.
 */
export async function keepPreview(
  parts: MakeParts,
  userId: string,
  id: string,
  data: string,
): Promise<void> {
  await requireRow(parts, userId, id)
  const bytes = Buffer.from(data, 'base64')
  const size = bitmapType(bytes) === TYPE ? measureImage(TYPE, bytes) : null
  const isFit =
    size !== null &&
    bytes.length <= PREVIEW_BYTES &&
    Math.max(size.width, size.height) <= PREVIEW_SIDE
  if (!isFit) throw unfit()
  await parts.store.keepPreview({ file_id: id, bytes })
}

interface PreviewCall {
  readonly userId: string
  readonly id: string
  readonly request: IncomingMessage
  readonly response: ServerResponse
}

/** Sends the preview of an image to a user who may read the image. */
export async function sendPreview(
  { files, store }: MakeParts,
  { userId, id, request, response }: PreviewCall,
): Promise<void> {
  if (!(await files.get(userId, id))) throw missingPicture()
  const preview = await store.preview(id)
  if (!preview) throw notFound('This picture has no preview yet.')
  const { bytes } = preview
  const etag = `"${id}-${bytes.length}"`
  const headers = {
    ETag: etag,
    'Cache-Control': 'private, no-cache',
    'X-Content-Type-Options': 'nosniff',
    'Content-Security-Policy': "sandbox; default-src 'none'; frame-ancestors 'self'",
    'Cross-Origin-Resource-Policy': 'same-origin',
  }
  if (hasTag(request.headers['if-none-match'], etag))
    return void response.writeHead(304, headers).end()
  response.writeHead(200, { ...headers, 'Content-Type': TYPE, 'Content-Length': bytes.length })
  response.end(bytes)
}
