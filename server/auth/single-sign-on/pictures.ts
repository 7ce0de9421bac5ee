import { isBitmap, parseDataImage } from '../../lib/images/data-image.ts'
import { badRequest, ServiceError } from '../../lib/errors.ts'
import { GuardedFetch } from '../../lib/outgoing/guarded-fetch.ts'
import type { Logger } from '../../lib/logger.ts'
import type { AuthSettings } from '../auth-settings.ts'
import type { Users } from '../../users/index.ts'

const LARGEST_BYTES = 5_000_000
const TIMEOUT_MILLISECONDS = 5000

/** Refusals, and faults in the answer itself, have another status or no cause. */
const hasNoAnswer = (error: unknown): boolean =>
  error instanceof ServiceError &&
  (error.status === 502 || error.status === 504) &&
  error.cause !== undefined

/**
 * Imports pictures named by a provider. The URL is not trusted, so it is checked through the
 * guarded fetch before browsers load it; the sign-in does not wait for it, and works without it.
 */
export class Pictures {
  readonly #users: Users
  readonly #log: Logger
  readonly #fetch: GuardedFetch
  readonly #running = new Set<Promise<void>>()
  readonly #closing = new AbortController()

  constructor({ settings, users, log }: { settings: AuthSettings; users: Users; log: Logger }) {
    this.#users = users
    this.#log = log
    const policy = () => ({
      allowedHosts: settings.get('WEB_FETCH_ALLOWED_HOSTS'),
      allowLocal: settings.get('ENABLE_LOCAL_WEB_FETCH'),
      maximumBytes: LARGEST_BYTES,
      timeoutMilliseconds: TIMEOUT_MILLISECONDS,
      offline: settings.get('OFFLINE_MODE'),
    })
    this.#fetch = new GuardedFetch(policy, { purpose: { kind: 'sign_in' } })
  }

  /** Imports a picture in the background; nothing changes if the URL is no picture. */
  takeOver(userId: string, address: string): void {
    const work = this.#read(userId, address)
      .catch((error: unknown) =>
        this.#log.info(
          { user_id: userId, error },
          'the picture of a provider account could not be stored',
        ),
      )
      .finally(() => this.#running.delete(work))
    this.#running.add(work)
  }

  /** Cancels pending imports. */
  async close(): Promise<void> {
    this.#closing.abort()
    await Promise.all(this.#running)
  }

  /** A host that gives no answer may give one to browsers; they load pictures only by https. */
  async #mayShow(address: string): Promise<boolean> {
    try {
      const { bytes, status } = await this.#fetch.fetch(address, {}, this.#closing.signal)
      return status === 200 && isBitmap(bytes)
    } catch (error) {
      if (hasNoAnswer(error) && /^https:/i.test(address)) return true
      throw error
    }
  }

  async #read(userId: string, address: string): Promise<void> {
    if (!address.startsWith('data:')) {
      if (!(await this.#mayShow(address))) throw badRequest('There is no picture at this address.')
    } else if (!parseDataImage(address)) throw badRequest('This is no picture.')
    if (await this.#users.get(userId))
      await this.#users.profiles.update(userId, { profile_image_url: address })
  }
}
