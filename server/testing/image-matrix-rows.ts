import type { World } from './create-world.ts'
import { drawPng } from './draw-png.ts'
import { admin, owned, user, type MatrixRow } from './matrix-row.ts'

/** A picture of the owner. */
async function picture({ server, ids }: World): Promise<Record<string, string>> {
  const facts = { model: 'draws', prompt: 'A lighthouse', chat_id: null, message_id: null }
  const { id } = await server.context.images.keep(ids.owner, drawPng(), facts)
  return { picture_id: id }
}

/** The endpoints of pictures. Making them is off unless an administrator switches it on. */
export const imageRows: Readonly<Record<string, MatrixRow>> = {
  'images.config': admin(),
  // The caller comes as far as the fields.
  'images.updateConfig': admin({ status: 422, body: () => ({}) }),
  'images.verify': admin({ query: '' }),
  'images.models': user(),
  'images.generate': user(403, { prompt: 'A lighthouse' }),
  'images.edit': user(403, { image: 'no-such-file', prompt: 'Make it winter' }),
  'images.stop': { ...user(404), params: () => ({ job_id: 'no-such-job' }) },
  // The caller comes as far as the address, which leads to this computer.
  'images.show': user(400, { url: 'http://127.0.0.1:9/picture.png' }),
  'images.gallery': user(),
  'images.picture': owned(picture),
  // There is none yet, which whoever may read the picture is told.
  'images.preview': owned(picture, { status: 404 }),
  'images.keepPreview': owned(picture, { status: 400, body: () => ({ data: 'aGk=' }) }),
  'images.remove': owned(picture, { status: 200 }),
  'images.vary': owned(picture, { status: 403, others: { other: 403, admin: 403 } }),
}
