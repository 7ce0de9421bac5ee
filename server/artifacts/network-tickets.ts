import { createHmac, timingSafeEqual } from 'node:crypto'
import { nowSeconds } from '../lib/ids.ts'

interface Written {
  readonly origins: readonly string[]
  /** Unix seconds. */
  readonly ends_at: number
}

/** Time limit for opening a frame. */
const LIFETIME_SECONDS = 120

/**
 * Tickets in a frame's URL that grant access to other hosts. With several gateways, each accepts
 * the tickets of the others; a forged or expired ticket yields a frame without network access.
 */
export class NetworkTickets {
  readonly #secret: Buffer

  constructor(secret: Buffer) {
    this.#secret = secret
  }

  issue(origins: readonly string[]): string {
    const content: Written = { origins, ends_at: nowSeconds() + LIFETIME_SECONDS }
    const written = Buffer.from(JSON.stringify(content)).toString('base64url')
    return `${written}.${this.#sign(written).toString('base64url')}`
  }

  /** Returns the origins of a ticket; empty if it is invalid or expired. */
  read(ticket: string): readonly string[] {
    const [written = '', signature = ''] = ticket.split('.', 2)
    const expected = this.#sign(written)
    const given = Buffer.from(signature, 'base64url')
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) return []
    const { origins, ends_at } = JSON.parse(Buffer.from(written, 'base64url').toString()) as Written
    return ends_at < nowSeconds() ? [] : origins
  }

  #sign(text: string): Buffer {
    return createHmac('sha256', this.#secret).update(text).digest()
  }
}
