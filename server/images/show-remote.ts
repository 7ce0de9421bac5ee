import { badRequest } from '../lib/errors.ts'
import { checkPicture, type CheckedPicture } from './check-picture.ts'
import type { SourceParts } from './load-source.ts'

/**
 * Fetches a picture an answer points at, so that its server learns of the gateway alone. Nothing is
 * sent with the request but what kinds of pictures are taken.
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
