import type { Files } from '../files/index.ts'
import { decodeInSteps } from '../lib/bytes/base64-steps.ts'
import { badRequest } from '../lib/errors.ts'
import type { GuardedFetch } from '../lib/outgoing/guarded-fetch.ts'
import { runInTurns } from '../lib/turns.ts'
import type { ImagesSettings } from './images-settings.ts'
import { checkPicture, mostPictureBytes, type CheckedPicture } from './check-picture.ts'

export interface SourceParts {
  readonly settings: ImagesSettings
  readonly files: Files
  readonly guardedFetch: GuardedFetch
}

/** An image to edit, with the id of its file if it belongs to the gateway. */
export interface LoadedSource extends CheckedPicture {
  readonly fileId: string | null
}

const CONTENT = /^(?:https?:\/\/[^/]+)?\/api\/v1\/files\/([^/?#]+)\/content(?:[/?#]|$)/
const DATA = /^data:image\/[\w.+-]+;base64,/i
const LONGEST_ID = 256

async function readOwn(
  { files, settings }: SourceParts,
  userId: string,
  id: string,
): Promise<Buffer> {
  const file = await files.get(userId, id)
  if (!file)
    throw badRequest('There is no picture to edit with this address. It may have been deleted.', {
      code: 'no_picture',
    })
  if (file.meta.size > mostPictureBytes(settings))
    throw badRequest(`The picture to edit is larger than ${settings.get('IMAGE_MAX_SIZE')} MB.`, {
      code: 'picture_too_large',
    })
  return files.read(id)
}

/** Loads an image a user names: a `data:` URL, a file they may read, or a web URL. */
export async function loadSource(
  parts: SourceParts,
  userId: string,
  reference: string,
  signal: AbortSignal,
): Promise<LoadedSource> {
  const text = reference.trimStart()
  const head = DATA.exec(text.slice(0, 200))
  if (head) {
    const most = (mostPictureBytes(parts.settings) * 4) / 3
    if (text.length > most + 1000)
      throw badRequest(
        `The picture to edit is larger than ${parts.settings.get('IMAGE_MAX_SIZE')} MB.`,
        { code: 'picture_too_large' },
      )
    return {
      ...checkPicture(parts.settings, await runInTurns(decodeInSteps(text, head[0].length))),
      fileId: null,
    }
  }
  const id =
    CONTENT.exec(text.slice(0, 2000))?.[1] ??
    (text.length <= LONGEST_ID && /^[\w-]+$/.test(text) ? text : null)
  if (id !== null)
    return { ...checkPicture(parts.settings, await readOwn(parts, userId, id)), fileId: id }
  if (!/^https?:\/\//i.test(text))
    throw badRequest(
      'The picture to edit has to be a file, an address, or a data: address with base64.',
      { code: 'no_picture' },
    )
  const reply = await parts.guardedFetch.fetch(text, { headers: { accept: 'image/*' } }, signal)
  if (reply.status !== 200)
    throw badRequest(
      `The picture to edit could not be fetched: its server answered with ${reply.status}.`,
    )
  return { ...checkPicture(parts.settings, reply.bytes), fileId: null }
}
