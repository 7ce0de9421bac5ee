import { createHash } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import type { ChannelWebhook, ChannelWebhookInput } from '#contract/channel-webhooks.ts'
import { parseDataImage } from '../../lib/images/data-image.ts'
import { drawPortrait, takesDrawings } from '../../lib/images/draw-portrait.ts'
import { badRequest, invalidInput, notFound } from '../../lib/errors.ts'
import type { Caller } from '../../lib/http.ts'
import { newId, randomToken } from '../../lib/ids.ts'
import { toNanoseconds, toNanosecondsOrNull } from '../messages/clock.ts'
import type { ChannelParts } from '../parts.ts'
import { webhookImageOf } from '../messages/to-message.ts'
import type { WebhookRow } from './webhook-store.ts'

const MOST_WEBHOOKS = 100

export const hashToken = (token: string): string => createHash('sha256').update(token).digest('hex')

const missing = () => notFound('There is no such webhook in this channel.')

/** A `picture` of null is the built-in one. Throws 422 if it is not a picture. */
function toPicture(given: string | null): string | null {
  if (given === null || given === '') return null
  const image = parseDataImage(given)
  if (!image) {
    const msg = 'is not a PNG, JPEG, GIF or WebP picture as a data: address'
    throw invalidInput([{ loc: ['body', 'profile_image_url'], msg, type: 'value_error' }])
  }
  return `data:${image.type};base64,${image.bytes.toString('base64')}`
}

const toWebhook = (row: WebhookRow, token: string | null = null): ChannelWebhook => ({
  id: row.id,
  channel_id: row.channel_id,
  user_id: row.user_id,
  name: row.name,
  profile_image_url: row.picture === null ? null : webhookImageOf(row.id, row.identity),
  token,
  last_used_at: toNanosecondsOrNull(row.last_used_at),
  created_at: toNanoseconds(row.created_at),
  updated_at: toNanoseconds(row.updated_at),
})

/** Webhooks of channels, for those who manage them. */
export class ChannelWebhooks {
  readonly #parts: ChannelParts

  constructor(parts: ChannelParts) {
    this.#parts = parts
  }

  async #require(caller: Caller, channelId: string, id: string): Promise<WebhookRow> {
    await this.#parts.rights.require(caller, channelId, 'manage')
    const row = await this.#parts.webhooks.find(id)
    if (row?.channel_id !== channelId) throw missing()
    return row
  }

  async #show(id: string, token: string | null = null): Promise<ChannelWebhook> {
    const row = await this.#parts.webhooks.find(id)
    if (!row) throw missing()
    return toWebhook(row, token)
  }

  async list(caller: Caller, channelId: string): Promise<ChannelWebhook[]> {
    await this.#parts.rights.require(caller, channelId, 'manage')
    return (await this.#parts.webhooks.list(channelId)).map((row) => toWebhook(row))
  }

  async create(
    caller: Caller,
    channelId: string,
    { name, profile_image_url }: ChannelWebhookInput,
  ): Promise<ChannelWebhook> {
    const { clock, rights, webhooks } = this.#parts
    await rights.require(caller, channelId, 'manage')
    if ((await webhooks.list(channelId)).length >= MOST_WEBHOOKS) {
      throw badRequest(`A channel can have ${MOST_WEBHOOKS} webhooks. Delete one that is not used.`)
    }
    const [id, token, now] = [newId(), randomToken(), clock.now()]
    const row = {
      id,
      channel_id: channelId,
      user_id: caller.userId,
      token_hash: hashToken(token),
      created_at: now,
      updated_at: now,
    }
    await webhooks.insert(row, { name, picture: toPicture(profile_image_url ?? null) })
    return this.#show(id, token)
  }

  /** New messages show the new name and picture, older ones keep theirs. */
  async update(
    caller: Caller,
    channelId: string,
    id: string,
    { name, profile_image_url }: ChannelWebhookInput,
  ): Promise<ChannelWebhook> {
    const row = await this.#require(caller, channelId, id)
    // Clients send back the URL they received.
    const isSame =
      profile_image_url === undefined || profile_image_url === webhookImageOf(id, row.identity)
    const picture = isSame ? row.picture : toPicture(profile_image_url ?? null)
    if (name !== row.name || picture !== row.picture)
      await this.#parts.webhooks.rename(row, { name, picture }, this.#parts.clock.now())
    return this.#show(id)
  }

  async rotate(caller: Caller, channelId: string, id: string): Promise<ChannelWebhook> {
    await this.#require(caller, channelId, id)
    const token = randomToken()
    await this.#parts.webhooks.setToken(id, hashToken(token), this.#parts.clock.now())
    return this.#show(id, token)
  }

  async remove(caller: Caller, channelId: string, id: string): Promise<void> {
    await this.#require(caller, channelId, id)
    await this.#parts.webhooks.remove(id)
  }

  /**
   * Sends the picture of a webhook or the built-in one, also for webhooks that no longer exist:
   * their messages still show it.
   */
  async sendImage(
    response: ServerResponse,
    id: string,
    version: string | undefined,
  ): Promise<undefined> {
    const number = version === undefined || !/^\d{1,15}$/.test(version) ? null : Number(version)
    const image = parseDataImage((await this.#parts.webhooks.picture(id, number)) ?? '')
    const hue = (createHash('sha256').update(id).digest()[0]! / 255) * 360
    const drawn = takesDrawings(response.req)
      ? { type: 'image/svg+xml; charset=utf-8', bytes: drawHook(hue) }
      : { type: 'image/png', bytes: drawPortrait(hue) }
    const { type, bytes } = image ?? drawn
    response.writeHead(200, {
      'Content-Type': type,
      'Content-Length': bytes.length,
      'Content-Security-Policy': "default-src 'none'; sandbox",
      'X-Content-Type-Options': 'nosniff',
      'Cache-Control': 'private, max-age=300',
      Vary: 'Accept',
    })
    response.end(bytes)
  }
}

const drawHook = (hue: number): Buffer =>
  Buffer.from(
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 96 96" width="96" height="96">' +
      `<rect width="96" height="96" fill="hsl(${Math.round(hue)} 45% 38%)"/>` +
      '<path d="M34 62a14 14 0 1 0 14 14M48 34v42M48 20a14 14 0 1 1 0 28" transform="translate(0 -8)" fill="none" stroke="#fff" ' +
      'stroke-width="7" stroke-linecap="round"/></svg>',
    'utf8',
  )
