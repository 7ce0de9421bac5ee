import { isRecord } from '../is-record.ts'

/** Returns the images of a message or delta. */
export const listImages = (message: Readonly<Record<string, unknown>>): readonly unknown[] => {
  const { images } = message
  return Array.isArray(images) ? (images as unknown[]) : []
}

/** Returns the URL in an image part; null for anything else. */
export function addressOfImage(part: unknown): string | null {
  const image = isRecord(part) ? part['image_url'] : null
  const url = isRecord(image) ? image['url'] : image
  return typeof url === 'string' && url !== '' ? url : null
}

/** Returns the URLs of the images in the content of a message. */
export const imagesOfContent = (content: unknown): string[] =>
  (Array.isArray(content) ? (content as unknown[]) : []).flatMap((part) => {
    const isImage = isRecord(part) && part['type'] === 'image_url'
    return isImage ? (addressOfImage(part) ?? []) : []
  })
