import { endpoints, toUrl } from './client.ts'

/** Returns the URL of a model's picture, which falls back to the built-in one of its id. */
export const modelPicture = (id: string): string =>
  toUrl(endpoints.models.profileImage, { query: { id } })
