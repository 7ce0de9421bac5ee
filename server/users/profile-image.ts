import { createHash } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { toForeignAddress } from '../lib/foreign-address.ts'
import type { UserRecord } from './index.ts'

/** The first letter or digit of a name; anything else could be markup or not be drawn at all. */
const initialOf = (name: string): string => /[\p{L}\p{N}]/u.exec(name)?.[0].toLocaleUpperCase('en') ?? ''

function drawProfileImage(user: UserRecord): string {
  const hue = Math.round((createHash('sha256').update(user.id).digest()[0]! / 255) * 360)
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 96 96" width="96" height="96">` +
    `<rect width="96" height="96" fill="hsl(${hue} 45% 38%)"/>` +
    `<text x="48" y="50" fill="#fff" font-family="system-ui, sans-serif" font-size="46" text-anchor="middle" dominant-baseline="central">` +
    `${initialOf(user.name)}</text></svg>`
  )
}

/** The headers keep a picture inert when it is opened as a page. */
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

/** Answers with the picture somebody chose, or with the built-in one: the initial on a colour of its own. */
export function sendProfileImage(
  response: ServerResponse,
  user: UserRecord,
  { chosen, isForwarding }: { readonly chosen: string | null; readonly isForwarding: boolean },
): void {
  const elsewhere = isForwarding ? toForeignAddress(chosen ?? '', response.req.headers.host) : null
  const [, type, data] = /^data:(image\/[a-z]+);base64,(.+)$/.exec(chosen ?? '') ?? []
  if (type !== undefined && data !== undefined) {
    send(response, type, Buffer.from(data, 'base64'))
  } else if (elsewhere !== null) {
    response.writeHead(302, { Location: elsewhere, 'Cache-Control': 'private, max-age=300' }).end()
  } else {
    send(response, 'image/svg+xml; charset=utf-8', Buffer.from(drawProfileImage(user), 'utf8'))
  }
}
