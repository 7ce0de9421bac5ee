import { createStore, type StoreApi } from 'zustand/vanilla'
import type { Picture } from '#contract/images.ts'
import { isAborted, toSentence } from '../../api/api-error.ts'
import { call, endpoints } from '../../api/client.ts'
import { rememberPictures } from '../../ui/pictures/known-pictures.ts'

/** What the list is narrowed to. */
export interface PicturesFilter {
  readonly query: string
  readonly kind: Picture['kind'] | ''
}

export interface PicturesState {
  readonly pictures: readonly Picture[]
  readonly total: number
  readonly filter: PicturesFilter
  readonly status: 'loading' | 'ready' | 'failed'
  readonly problem: string | null
  readonly isReadingOn: boolean
}

export type PicturesStore = StoreApi<PicturesState>

export const NO_FILTER: PicturesFilter = Object.freeze({ query: '', kind: '' })

/** The gateway's own page size. */
const PER_PAGE = 30

export const createPicturesStore = (): PicturesStore =>
  createStore<PicturesState>(() => ({
    pictures: [],
    total: 0,
    filter: NO_FILTER,
    status: 'loading',
    problem: null,
    isReadingOn: false,
  }))

const aborts = new WeakMap<PicturesStore, AbortController>()

const withPictures = (known: readonly Picture[], items: readonly Picture[]): readonly Picture[] => [
  ...known,
  ...items.filter(({ id }) => !known.some((picture) => picture.id === id)),
]

async function readPage(store: PicturesStore, page: number): Promise<void> {
  aborts.get(store)?.abort()
  const abort = new AbortController()
  aborts.set(store, abort)
  const { query, kind } = store.getState().filter
  try {
    const asked = { page, kind, query: query.trim() || undefined }
    const { items, total } = await call(
      endpoints.images.gallery,
      { query: asked },
      { signal: abort.signal },
    )
    rememberPictures(items)
    store.setState(({ pictures }) => ({
      pictures: page === 1 ? items : withPictures(pictures, items),
      total,
      status: 'ready',
      problem: null,
      isReadingOn: false,
    }))
  } catch (thrown) {
    if (!isAborted(thrown))
      store.setState({ status: 'failed', problem: toSentence(thrown), isReadingOn: false })
  }
}

/** Fetches the pictures from the first page on. */
export function loadPictures(store: PicturesStore, filter: PicturesFilter): Promise<void> {
  store.setState({ filter })
  return readPage(store, 1)
}

/**
 * Reads on behind the pictures that are listed: those of the next page moved by what was made and
 * deleted here.
 */
export function loadMorePictures(store: PicturesStore): Promise<void> {
  store.setState({ isReadingOn: true })
  return readPage(store, Math.floor(store.getState().pictures.length / PER_PAGE) + 1)
}

const isWanted = ({ kind, prompt }: Picture, filter: PicturesFilter): boolean =>
  (filter.kind === '' || filter.kind === kind) &&
  prompt.toLowerCase().includes(filter.query.trim().toLowerCase())

/** Pictures that were just made come first, unless the list leaves them out. */
export function addPictures(store: PicturesStore, made: readonly Picture[]): void {
  store.setState(({ pictures, total, filter }) => {
    const fresh = made.filter(
      (picture) => isWanted(picture, filter) && !pictures.some(({ id }) => id === picture.id),
    )
    return { pictures: [...fresh, ...pictures], total: total + fresh.length }
  })
}

export async function removePicture(store: PicturesStore, id: string): Promise<void> {
  await call(endpoints.images.remove, { params: { picture_id: id } })
  store.setState(({ pictures, total }) => ({
    pictures: pictures.filter((picture) => picture.id !== id),
    total: Math.max(total - 1, 0),
  }))
}
