import { timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { notFound } from '../../lib/errors.ts'
import { newId } from '../../lib/ids.ts'
import { RateWindow } from '../../lib/timing/rate-window.ts'
import { shareWindow } from '../../live/index.ts'
import { hashToken } from './channel-webhooks.ts'
import type { ChannelParts } from '../parts.ts'
import { findWords, publish } from '../messages/post-message.ts'

/** Compared with when there is no webhook, so that the response takes equally long. */
const NOBODY = hashToken('')

/** Messages from clients that know the URL of a webhook. */
export class IncomingMessages {
  readonly #parts: ChannelParts
  readonly #posts = new RateWindow({ most: 30, seconds: 60 })
  readonly #misses = new RateWindow({ most: 60, seconds: 60 })

  constructor(parts: ChannelParts) {
    this.#parts = parts
    shareWindow(parts.live, 'channel-posts', this.#posts)
    shareWindow(parts.live, 'channel-misses', this.#misses)
  }

  /**
   * The text is plain text: it notifies no user and calls no model. An unknown webhook, a deleted
   * one and a wrong token get the same response.
   */
  async post(
    { webhook_id, token }: { webhook_id: string; token: string },
    content: string,
    request: IncomingMessage,
  ): Promise<{ success: true; message_id: string }> {
    const { clock, store, webhooks } = this.#parts
    const found = await webhooks.find(webhook_id)
    const isRight = timingSafeEqual(
      Buffer.from(hashToken(token), 'hex'),
      Buffer.from(found?.token_hash ?? NOBODY, 'hex'),
    )
    if (!found || !isRight) {
      // A correct token is never refused because of wrong ones from the same IP address, which
      // others may share; it is too long to be guessed.
      const address = this.#parts.auth.peers.limitSubject(request)
      this.#misses.require(
        address,
        'Too many calls of this kind came from your address. Wait a minute.',
      )
      this.#misses.count(address)
      throw notFound('There is no webhook at this address.')
    }
    this.#posts.require(
      found.id,
      'This webhook took 30 messages within a minute, as many as it may. Wait a moment.',
    )
    this.#posts.count(found.id)
    const words = await findWords(content)
    // It may have been deleted or changed while a long text was being processed.
    const webhook = await webhooks.find(webhook_id)
    const channel = webhook && (await store.get(webhook.channel_id))
    if (!webhook || !channel) throw notFound('There is no webhook at this address.')
    const now = clock.now()
    const message = {
      id: newId(),
      channel_id: channel.id,
      user_id: webhook.user_id,
      webhook_id: webhook.id,
      identity: webhook.identity,
      content,
      created_at: now,
      updated_at: now,
    }
    await webhooks.touch(webhook.id, now)
    await publish(this.#parts, channel, message, { actor: null, words })
    return { success: true, message_id: message.id }
  }
}
