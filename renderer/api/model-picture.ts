import { createStore } from 'zustand/vanilla'
import type { Model } from '#contract/models.ts'
import { endpoints, toUrl } from './client.ts'

/** Returns the URL of a model's picture, which falls back to the built-in one of its id. */
export const modelPicture = (id: string): string =>
  toUrl(endpoints.models.profileImage, { query: { id } })

/** Ids of the models that are shown with their own picture rather than the mark of a family. */
export const ownPicturesStore = createStore<{ readonly ids: ReadonlySet<string> }>(() => ({
  ids: new Set(),
}))

const STORED = /^data:|\/profile\/image/

/**
 * True for a model with a stored picture, and for one created here, whose identity is not that of
 * its base. Other addresses are not served.
 */
function hasOwnPicture({ preset, info }: Model): boolean {
  const address = info.meta['profile_image_url']
  return preset === true || (typeof address === 'string' && STORED.test(address))
}

/** Takes note of the models with a picture of their own. */
export const noteOwnPictures = (models: readonly Model[]): void =>
  ownPicturesStore.setState({
    ids: new Set(models.filter(hasOwnPicture).map(({ id }) => id)),
  })
