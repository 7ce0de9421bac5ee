import type { Picture } from '#contract/images.ts'
import { call, endpoints } from '../../api/client.ts'
import { ListStore } from '../../api/list-store.ts'
import { rememberPictures } from '../../ui/pictures/known-pictures.ts'

/** What the list is narrowed to. */
export interface PicturesFilter {
  readonly query: string
  readonly kind: Picture['kind'] | ''
}

interface PicturesExtra {
  readonly filter: PicturesFilter
}

export type PicturesStore = ListStore<Picture, PicturesExtra>

export const NO_FILTER: PicturesFilter = Object.freeze({ query: '', kind: '' })

/** The gateway's own page size. */
const PER_PAGE = 30

/** Pictures of the person, by pages. */
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

/** Pictures that were just made come first, unless the list leaves them out. */
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
