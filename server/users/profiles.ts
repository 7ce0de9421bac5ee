import type { Profile } from '#contract/users.ts'
import { checkPlainJson } from '../lib/json/check-plain-json.ts'
import { badRequest, tooLarge } from '../lib/errors.ts'
import { nowSeconds } from '../lib/ids.ts'
import type { ProfileStore, StoredProfile } from './profile-store.ts'
import { toPromptNames } from './prompt-names.ts'

type ProfileChanges = {
  readonly [Name in keyof StoredProfile]?: StoredProfile[Name] | undefined
}

/** Profile of a user who has not filled in anything. */
export const EMPTY_PROFILE: Profile = Object.freeze({
  username: null,
  bio: null,
  gender: null,
  date_of_birth: null,
  timezone: null,
  profile_banner_image_url: null,
  status_emoji: null,
  status_message: null,
  status_expires_at: null,
})
const NO_STATUS = { status_emoji: null, status_message: null, status_expires_at: null }

function withoutExpired(profile: Profile): Profile {
  const isOver = profile.status_expires_at !== null && profile.status_expires_at <= nowSeconds()
  return isOver ? { ...profile, ...NO_STATUS } : profile
}

/** Bitmaps only: a drawing could carry a script. */
const BITMAP = /^data:image\/(png|jpeg|gif|webp|avif);base64,[\w+/]+={0,2}$/
const WEB_ADDRESS = /^https?:\/\/[^\s"<>]{1,2000}$/i
const LARGEST_INFO_BYTES = 64 * 1024

/**
 * Returns the URL to store: null for the built-in picture, undefined for one of the gateway's own
 * URLs, which means no change.
 */
function parseImage(address: string | null): string | null | undefined {
  if (address === null || address === '' || address === '/user.png') return null
  if (address.startsWith('/')) return undefined
  if (BITMAP.test(address) || (WEB_ADDRESS.test(address) && URL.canParse(address))) return address
  throw badRequest(
    'A picture must be a PNG, JPEG, GIF, WebP or AVIF bitmap, or lie at a web address.',
    { code: 'invalid_image' },
  )
}

/** Information that users enter about themselves. */
export class Profiles {
  readonly #store: ProfileStore
  readonly #zoneListeners: ((userId: string) => Promise<void>)[] = []

  constructor(store: ProfileStore) {
    this.#store = store
  }

  /** Adds a listener that is called after a user chose another time zone. */
  onZoneChanged(listener: (userId: string) => Promise<void>): void {
    this.#zoneListeners.push(listener)
  }

  /** An expired status is omitted. */
  async read(userId: string): Promise<Profile> {
    const stored = await this.#store.get(userId)
    if (!stored) return EMPTY_PROFILE
    const { profile_image_url: _image, ...profile } = stored
    return withoutExpired(profile)
  }

  /** Returns the profiles of several users by their ids; none for an empty one. */
  async several(userIds: readonly string[]): Promise<ReadonlyMap<string, Profile>> {
    const stored = await this.#store.several(userIds)
    return new Map(stored.map(({ user_id: id, ...profile }) => [id, withoutExpired(profile)]))
  }

  /** Returns the picture a user chose, null for the built-in one. */
  async image(userId: string): Promise<string | null> {
    return (await this.#store.get(userId))?.profile_image_url ?? null
  }

  /**
   * Changes the given fields; an empty text clears a field. Throws 400 for a picture that is no
   * bitmap or web URL.
   */
  async update(userId: string, changes: ProfileChanges): Promise<void> {
    const images = (['profile_image_url', 'profile_banner_image_url'] as const)
      .filter((name) => changes[name] !== undefined)
      .map((name) => [name, parseImage(changes[name]!)] as const)
    const values = Object.entries({ ...changes, ...Object.fromEntries(images) }).filter(
      ([, value]) => value !== undefined,
    )
    const before = changes.timezone === undefined ? null : await this.read(userId)
    await this.#store.update(
      userId,
      Object.fromEntries(values.map(([name, value]) => [name, value === '' ? null : value])),
    )
    if (before !== null && before.timezone !== (changes.timezone || null))
      for (const listener of this.#zoneListeners) await listener(userId)
  }

  /** Returns the profile by the names used in prompt templates, such as `USER_AGE`. */
  async promptNames(userId: string, now: Date): Promise<Map<string, string>> {
    return toPromptNames(
      (await this.#store.get(userId)) ?? EMPTY_PROFILE,
      await this.info(userId),
      now,
    )
  }

  /** Returns the data that clients store for a user. */
  async info(userId: string): Promise<Record<string, unknown> | null> {
    const text = await this.#store.info(userId)
    return text === null ? null : (JSON.parse(text) as Record<string, unknown>)
  }

  /** Merges fields into it; throws 413 if it gets too large. */
  async updateInfo(
    userId: string,
    changes: Record<string, unknown>,
  ): Promise<Record<string, unknown>> {
    checkPlainJson(changes, 'What was sent')
    let merged: Record<string, unknown> = {}
    await this.#store.changeInfo(userId, (info) => {
      // Spreading creates own fields for all names, including `__proto__`.
      merged = { ...(info === null ? null : (JSON.parse(info) as object)), ...changes }
      const text = JSON.stringify(merged)
      if (Buffer.byteLength(text) > LARGEST_INFO_BYTES)
        throw tooLarge(`The stored data about a user may have ${LARGEST_INFO_BYTES} bytes.`)
      return text
    })
    return merged
  }
}
