import { createHash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { parseDataImage } from '../lib/images/data-image.ts'
import { drawPortrait, takesDrawings } from '../lib/images/draw-portrait.ts'
import { badRequest } from '../lib/errors.ts'

const LONGEST_IMAGE = 2 * 1024 * 1024
const DATA = /^data:/i
const WEB = /^https?:\/\//i
/**
 * An image among the files of the UI. Other URLs of the gateway could have side effects when a
 * browser requests them.
 */
const OWN_FILE = /^\/(?!api\/)(?:[\w-]+\/)*[\w-]+\.(?:png|jpe?g|gif|webp|svg|ico)$/i
const IMAGE_PATH = '/api/v1/models/model/profile/image'

/** Returns the URL of a model's image. */
export const imageAddress = (id: string): string => `${IMAGE_PATH}?id=${encodeURIComponent(id)}`

/** True for the URL that lists contain instead of the image itself. */
export const isImageAddress = (address: unknown): boolean =>
  typeof address === 'string' && address.startsWith(IMAGE_PATH)

export const isDataAddress = (address: unknown): address is string =>
  typeof address === 'string' && DATA.test(address)

/**
 * Throws 400 for an image that is invalid, could contain a script, or points to an unexpected
 * location.
 */
export function checkProfileImage(address: unknown): void {
  if (address === undefined || address === null || address === '') return
  if (typeof address === 'string' && address.length <= LONGEST_IMAGE) {
    if (WEB.test(address) || OWN_FILE.test(address) || parseDataImage(address)) return
  }
  throw badRequest(
    'The picture must be a PNG, JPEG, GIF or WebP image of at most 1.5 MB, or the address of one.',
    {
      code: 'invalid_image',
    },
  )
}

const hueOf = (id: string): number =>
  Math.round((createHash('sha256').update(id).digest()[0]! / 255) * 360)

/** Returns the built-in image: the first letter of the name on a color derived from the id. */
function drawImage(id: string, name: string): Buffer {
  const hue = hueOf(id)
  const initial = /[\p{L}\p{N}]/u.exec(name)?.[0].toLocaleUpperCase('en') ?? ''
  return Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 96 96" width="96" height="96">` +
      `<rect width="96" height="96" rx="24" fill="hsl(${hue} 45% 38%)"/>` +
      `<text x="48" y="50" fill="#fff" font-family="system-ui, sans-serif" font-size="46" text-anchor="middle" dominant-baseline="central">` +
      `${initial}</text></svg>`,
    'utf8',
  )
}

const drawBuiltIn = (
  request: IncomingMessage,
  id: string,
  name: string,
): { type: string; bytes: Buffer } =>
  takesDrawings(request)
    ? { type: 'image/svg+xml; charset=utf-8', bytes: drawImage(id, name) }
    : { type: 'image/png', bytes: drawPortrait(hueOf(id)) }

interface ImageOptions {
  readonly id: string
  readonly name: string
  /** The value stored with the model. */
  readonly address: unknown
}

/**
 * Sends the stored image or the built-in one, never a redirect: otherwise authors of models could
 * choose where other users are sent. The headers keep the image inert if it is opened as a page.
 */
export function sendProfileImage(
  response: ServerResponse,
  { id, name, address }: ImageOptions,
): void {
  const stored = isDataAddress(address) ? parseDataImage(address) : null
  const { type, bytes } = stored ?? drawBuiltIn(response.req, id, name)
  response.writeHead(200, {
    'Content-Type': type,
    Vary: 'Accept',
    'Content-Length': bytes.length,
    'Content-Security-Policy': "default-src 'none'; sandbox",
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': 'private, max-age=300',
  })
  response.end(bytes)
}
