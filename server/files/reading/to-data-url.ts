import { isPlainPicture } from '../storing/content-type.ts'
import { readWhole, type Blobs } from '../../storage/blobs/blobs.ts'
import { blobOf, type FileRow } from '../store.ts'

const CONTENT_ADDRESS = /^(?:https?:\/\/[^/]+)?\/api\/v1\/files\/([^/?#]+)\/content(?:[/?#]|$)/
/** Providers refuse larger images, and a request body has to hold several of them. */
const LARGEST_PICTURE_BYTES = 20 * 1024 * 1024

/** Returns the `data:` URL of an image that `find` knows; null for anything else. */
export async function toDataUrl(
  reference: string,
  find: (id: string) => Promise<FileRow | null>,
  blobs: Blobs,
): Promise<string | null> {
  if (reference.length > 1000) return null
  const row = await find(CONTENT_ADDRESS.exec(reference)?.[1] ?? reference)
  if (!row || !isPlainPicture(row.content_type) || row.size > LARGEST_PICTURE_BYTES) return null
  const bytes = await readWhole(blobs, blobOf(row))
  return `data:${row.content_type};base64,${bytes.toString('base64')}`
}
