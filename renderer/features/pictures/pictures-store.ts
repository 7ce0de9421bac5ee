import type { Picture } from '#contract/images.ts'
import { call, endpoints } from '../../api/client.ts'
import { ListStore } from '../../api/list-store.ts'
import { rememberPictures } from '../../ui/pictures/known-pictures.ts'

/** Filter of the list. */
export interface PicturesFilter {
  readonly query: string
  readonly kind: Picture['kind'] | ''
}

interface PicturesExtra {
  readonly filter: PicturesFilter
}

export type PicturesStore = ListStore<Picture, PicturesExtra>

export const NO_FILTER: PicturesFilter = Object.freeze({ query: '', kind: '' })

/** Page size of the gateway. */
const PER_PAGE = 30

/** Creates the paginated store of the user's pictures. */
export const createPicturesStore = (): PicturesStore =>
  new ListStore<Picture, PicturesExtra>({
    read: async ({ state: { filter }, page, signal }) => {
      const asked = { page, kind: filter.kind, query: filter.query.trim() || undefined }
      const found = await call(endpoints.images.gallery, { query: asked }, { signal })
      rememberPictures(found.items)
      return found
    },
    extra: { filter: NO_FILTER },
    keyOf: ({ id }) => id,
    pageSize: PER_PAGE,
  })

const isWanted = ({ kind, prompt }: Picture, filter: PicturesFilter): boolean =>
  (filter.kind === '' || filter.kind === kind) &&
  prompt.toLowerCase().includes(filter.query.trim().toLowerCase())

/** Inserts newly generated pictures at the beginning, unless the filter excludes them. */
export function addPictures(store: PicturesStore, made: readonly Picture[]): void {
  const { items, total, filter } = store.getState()
  const fresh = made.filter(
    (picture) => isWanted(picture, filter) && !items.some(({ id }) => id === picture.id),
  )
  store.setState({ items: [...fresh, ...items], total: total + fresh.length })
}

export async function removePicture(store: PicturesStore, id: string): Promise<void> {
  await call(endpoints.images.remove, { params: { picture_id: id } })
  store.drop(id)
}
