import type { IncomingMessage, ServerResponse } from 'node:http'
import { avatarColour, avatarHue, avatarInitials } from '#contract/avatars.ts'
import { drawPortrait, takesDrawings } from '../lib/images/draw-portrait.ts'
import type { UserRecord } from './user-record.ts'

function drawProfileImage({ id, name }: UserRecord): string {
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 96 96" width="96" height="96">` +
    `<rect width="96" height="96" fill="${avatarColour(avatarHue(id))}"/>` +
    `<text x="48" y="50" fill="#fff" font-family="system-ui, sans-serif" font-size="36" font-weight="600" text-anchor="middle" dominant-baseline="central">` +
    `${avatarInitials(name)}</text></svg>`
  )
}

/** The headers prevent a picture from executing anything when it is opened as a page. */
function send(response: ServerResponse, type: string, image: Buffer): void {
  response.writeHead(200, {
    'Content-Type': type,
    'Content-Length': image.length,
    'Content-Security-Policy': "default-src 'none'; sandbox",
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': 'private, max-age=300',
  })
  response.end(image)
}

/**
 * Returns the https URL a user chose; null for one of the gateway itself, because following it
 * could trigger an action.
 */
function toElsewhere(address: string, host: string | undefined): string | null {
  const url = /^https:\/\//i.test(address) ? URL.parse(address) : null
  return url && url.host !== host?.toLowerCase() ? url.href : null
}

/**
 * Checks the destination sent by a browser; redirecting a page would be an open redirect. Browsers
 * send it only over https and on this machine: elsewhere a page is known by the type it accepts.
 */
const isForPicture = ({ headers }: IncomingMessage): boolean => {
  const destination = headers['sec-fetch-dest']
  if (destination === undefined && headers.accept?.includes('text/html')) return false
  return (destination ?? 'image') === 'image' && headers['sec-fetch-mode'] !== 'navigate'
}

/**
 * Sends the picture a user chose or the built-in one: the initials on a colour, or a PNG for clients
 * without SVG.
 */
export function sendProfileImage(
  response: ServerResponse,
  user: UserRecord,
  { chosen, isForwarding }: { readonly chosen: string | null; readonly isForwarding: boolean },
): void {
  const { req: request } = response
  const elsewhere =
    isForwarding && isForPicture(request) ? toElsewhere(chosen ?? '', request.headers.host) : null
  response.setHeader('Vary', 'Accept, Sec-Fetch-Dest, Sec-Fetch-Mode')
  const [, type, data] = /^data:(image\/[a-z]+);base64,(.+)$/.exec(chosen ?? '') ?? []
  if (type !== undefined && data !== undefined) {
    send(response, type, Buffer.from(data, 'base64'))
  } else if (elsewhere !== null) {
    response
      .writeHead(302, {
        Location: elsewhere,
        'Referrer-Policy': 'no-referrer',
        'Cache-Control': 'no-store',
      })
      .end()
  } else if (!takesDrawings(request)) {
    send(response, 'image/png', drawPortrait(avatarHue(user.id)))
  } else {
    send(response, 'image/svg+xml; charset=utf-8', Buffer.from(drawProfileImage(user), 'utf8'))
  }
}
