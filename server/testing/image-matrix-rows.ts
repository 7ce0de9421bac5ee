import type { World } from './create-world.ts'
import { drawPng } from './draw-png.ts'
import { admin, owned, user, type MatrixRow } from './matrix-row.ts'

/** Creates an image of the owner. */
async function picture({ server, ids }: World): Promise<Record<string, string>> {
  const facts = { model: 'draws', prompt: 'A lighthouse', chat_id: null, message_id: null }
  const { id } = await server.context.images.keep(ids.owner, drawPng(), facts)
  return { picture_id: id }
}

/** Rows for the image endpoints. Making images is off until an administrator enables it. */
export const imageRows: Readonly<Record<string, MatrixRow>> = {
  'images.config': admin(),
  // The request passes authorisation and fails at the field validation.
  'images.updateConfig': admin({ status: 422, body: () => ({}) }),
  'images.verify': admin({ query: '' }),
  'images.models': user(),
  'images.generate': user(403, { prompt: 'A lighthouse' }),
  'images.create': user(403, { prompt: 'A lighthouse' }),
  'images.edit': user(403, { image: 'no-such-file', prompt: 'Make it winter' }),
  'images.stop': { ...user(404), params: () => ({ job_id: 'no-such-job' }) },
  // The request passes authorisation and fails at the URL, which points to this computer.
  'images.show': user(400, { url: 'http://127.0.0.1:9/picture.png' }),
  'images.gallery': user(),
  'images.picture': owned(picture),
  // There is none yet, which every reader of the image is told.
  'images.preview': owned(picture, { status: 404 }),
  'images.keepPreview': owned(picture, { status: 400, body: () => ({ data: 'aGk=' }) }),
  'images.remove': owned(picture, { status: 200 }),
  'images.vary': owned(picture, { status: 403, others: { other: 403, admin: 403 } }),
}
