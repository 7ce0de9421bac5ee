import { flatMapInOrder, filterInOrder } from '../lib/in-order.ts'
import { randomInt } from 'node:crypto'
import type { Picture } from '#contract/images.ts'
import { badRequest, notFound } from '../lib/errors.ts'
import { addressOfFile, toPicture } from './keep-picture.ts'
import { makePictures, type MakeOptions, type MakeParts } from './make-pictures.ts'
import type { ListedPicture } from './store.ts'

export const PICTURES_A_PAGE = 30
/** Largest seed that all engines with seeds accept. */
const LARGEST_SEED = 2 ** 32 - 1

export const missingPicture = () => notFound('There is no such image.')

export interface GalleryQuery {
  readonly page?: number
  readonly query?: string
  readonly kind?: Picture['kind'] | ''
}

/** Returns the images of a user, newest first. Those whose file is being deleted are left out. */
export async function listPictures(
  { store, files }: MakeParts,
  userId: string,
  { page = 1, query, kind }: GalleryQuery,
) {
  const pattern = query ? `%${query.replace(/[\\%_]/g, '\\$&')}%` : null
  const filter = { userId, kind: kind || null, pattern }
  const rows = await store.list(filter, {
    offset: (page - 1) * PICTURES_A_PAGE,
    limit: PICTURES_A_PAGE,
  })
  const items = await flatMapInOrder(rows, async (row) => {
    const file = await files.find(row.file_id)
    return file ? [toPicture(row, file)] : []
  })
  return { items, total: await store.count(filter) }
}

export async function requireRow(
  { store }: MakeParts,
  userId: string,
  id: string,
): Promise<ListedPicture> {
  const row = await store.get(userId, id)
  if (!row) throw missingPicture()
  return row
}

export async function getPicture(parts: MakeParts, userId: string, id: string): Promise<Picture> {
  const row = await requireRow(parts, userId, id)
  const file = await parts.files.find(id)
  if (!file) throw missingPicture()
  return toPicture(row, file)
}

/** Deletes an image with its file. */
export async function removePicture(parts: MakeParts, userId: string, id: string): Promise<void> {
  await requireRow(parts, userId, id)
  await parts.store.remove(id)
  await parts.files.remove(id)
}

/** Makes more images like one: an edited image is edited once more from its source images. */
export async function varyPicture(
  parts: MakeParts,
  id: string,
  n: number,
  options: MakeOptions,
): Promise<Picture[]> {
  const { userId } = options
  const row = await requireRow(parts, userId, id)
  const { prompt, model, size, steps, negative_prompt: negativePrompt } = row
  if (row.kind === 'received' || prompt === '')
    throw badRequest(
      'The model put this picture into its answer by itself, so it is not known how to make another one.',
      {
        code: 'no_variation',
      },
    )
  const sources = await filterInOrder(
    JSON.parse(row.source_ids) as string[],
    async (each) => (await parts.files.get(userId, each)) !== null,
  )
  if (row.kind === 'edited' && sources.length === 0)
    throw badRequest('The picture this one was edited from is gone.', { code: 'no_variation' })
  const request = {
    prompt,
    model,
    size,
    steps,
    n,
    negative_prompt: negativePrompt,
    seed: randomInt(LARGEST_SEED),
    ...(row.kind === 'edited' && { images: sources.map(addressOfFile) }),
  }
  return makePictures(parts, request, {
    ...options,
    sourceIds: row.kind === 'edited' ? sources : [id],
  })
}
