import { imageOptionsSchema, type ImageOptions } from '#contract/images.ts'

/**
 * What the person chose for the pictures of an answer. Filters may have changed the features of the
 * request, so that what cannot be read counts as not chosen.
 */
export function readImageOptions(
  features: Readonly<Record<string, unknown>> | null | undefined,
): ImageOptions {
  return imageOptionsSchema.safeParse(features?.['image_options']).data ?? {}
}

/** What a picture is asked for with: an edit keeps the size its engine is set to. */
export function toWanted({ size, n, seed }: ImageOptions, isEdit: boolean): ImageOptions {
  const isSized = !isEdit && typeof size === 'string' && size.trim() !== ''
  return {
    ...(isSized && { size }),
    ...(typeof n === 'number' && { n }),
    ...(typeof seed === 'number' && { seed }),
  }
}
