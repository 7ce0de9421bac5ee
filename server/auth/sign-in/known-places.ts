import { findInOrder } from '../../lib/in-order.ts'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createHash } from 'node:crypto'
import { nowSeconds, randomToken } from '../../lib/ids.ts'
import { readDeviceSecret, setDeviceCookies } from './device-cookie.ts'
import type { Peers } from '../origin/peers.ts'
import type { KnownPlaceStore } from '../store.ts'

/** A known place of an account: a browser that holds a secret of the account, or an address. */
export interface KnownPlace {
  readonly kind: 'device' | 'address'
  readonly place: string
}

/** Accounts are identified by their id, or by the directory name that maps to them. */
export const directoryAccount = (name: string): string =>
  `ldap:${createHash('sha256').update(name.toLowerCase()).digest('base64url')}`

const MOST_OF_A_KIND = 20
const LIFE_SECONDS = 180 * 24 * 60 * 60

/**
 * Browsers send these headers when a page of the gateway makes a request; other clients keep no
 * cookies and would only use up the places.
 */
const isBrowser = ({ headers }: IncomingMessage): boolean =>
  headers['sec-fetch-site'] !== undefined || headers.origin !== undefined

const toDevice = (secret: string): KnownPlace => ({
  kind: 'device',
  place: createHash('sha256').update(secret).digest('base64url'),
})

/**
 * Remembers the places of successful sign-ins, so that strangers who use up the tries of an account
 * do not lock out its owner.
 */
export class KnownPlaces {
  readonly #store: KnownPlaceStore
  readonly #peers: Peers

  constructor({ store, peers }: { readonly store: KnownPlaceStore; readonly peers: Peers }) {
    this.#store = store
    this.#peers = peers
  }

  /**
   * Returns the known place of a request; the browser takes precedence over the address, which
   * others may share.
   */
  async find(account: string, request: IncomingMessage): Promise<KnownPlace | null> {
    const secret = readDeviceSecret(request, account)
    const candidates = [...(secret === null ? [] : [toDevice(secret)]), this.#addressOf(request)]
    return (await findInOrder(candidates, (candidate) => this.#isKnown(account, candidate))) ?? null
  }

  /** Records a successful sign-in; a browser gets a secret for the next one. */
  async remember({ account, userId, request, response }: RememberedSignIn): Promise<void> {
    await this.#store.purge(nowSeconds() - LIFE_SECONDS)
    await this.#keep(account, userId, this.#addressOf(request))
    if (!isBrowser(request)) return
    const presented = readDeviceSecret(request, account)
    // An unknown secret may have been planted by an attacker who knows it.
    const secret =
      presented !== null && (await this.#isKnown(account, toDevice(presented)))
        ? presented
        : randomToken()
    await this.#keep(account, userId, toDevice(secret))
    const options = {
      account,
      secret,
      seconds: LIFE_SECONDS,
      isSecure: this.#peers.isHttps(request),
      basePath: this.#peers.basePathOf(request),
    }
    setDeviceCookies(request, response, options)
  }

  /** Deletes all known places of an account. */
  async forget(userId: string): Promise<void> {
    await this.#store.removeOf(userId)
  }

  #addressOf(request: IncomingMessage): KnownPlace {
    return { kind: 'address', place: this.#peers.limitSubject(request) }
  }

  #isKnown(account: string, place: KnownPlace): Promise<boolean> {
    return this.#store.has({ account, ...place }, nowSeconds() - LIFE_SECONDS)
  }

  async #keep(account: string, userId: string, place: KnownPlace): Promise<void> {
    await this.#store.put({ account, ...place, user_id: userId, last_used_at: nowSeconds() })
    await this.#store.trim({ account, kind: place.kind }, MOST_OF_A_KIND)
  }
}

interface RememberedSignIn {
  readonly account: string
  readonly userId: string
  readonly request: IncomingMessage
  readonly response: ServerResponse
}
