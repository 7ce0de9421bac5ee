import { imageOptionsSchema, type ImageOptions } from '#contract/images.ts'

/**
 * Returns the user's image options for an answer. Filters may have changed the features of the
 * request, so that invalid values count as not set.
 */
export function readImageOptions(
  features: Readonly<Record<string, unknown>> | null | undefined,
): ImageOptions {
  return imageOptionsSchema.safeParse(features?.['image_options']).data ?? {}
}

/** Returns the options of a request: an edit keeps the size configured for its engine. */
export function toWanted({ size, n, seed }: ImageOptions, isEdit: boolean): ImageOptions {
  const isSized = !isEdit && typeof size === 'string' && size.trim() !== ''
  return {
    ...(isSized && { size }),
    ...(typeof n === 'number' && { n }),
    ...(typeof seed === 'number' && { seed }),
  }
}
