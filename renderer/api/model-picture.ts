import { endpoints, toUrl } from './client.ts'

/** Where the picture of a model is, or the built-in one of its id. */
export const modelPicture = (id: string): string =>
  toUrl(endpoints.models.profileImage, { query: { id } })
