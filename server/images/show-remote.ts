import { badRequest } from '../lib/errors.ts'
import { checkPicture, type CheckedPicture } from './check-picture.ts'
import type { SourceParts } from './load-source.ts'

/**
 * Fetches an image an answer refers to, so that its server sees only the gateway. The request
 * contains nothing but the accepted image types.
 */
export async function showRemote(
  { guardedFetch, settings }: Pick<SourceParts, 'guardedFetch' | 'settings'>,
  url: string,
  signal: AbortSignal,
): Promise<CheckedPicture> {
  const headers = { accept: 'image/png, image/jpeg, image/gif, image/webp' }
  const reply = await guardedFetch.fetch(url, { headers }, signal)
  if (reply.status !== 200)
    throw badRequest(`The picture could not be fetched: its server answered with ${reply.status}.`)
  return checkPicture(settings, reply.bytes)
}
