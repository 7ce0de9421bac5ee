import type { ChannelStore, MemberRow } from '../channel-store.ts'

/** Active members of a channel, and which of them manage it. */
export type Members = ReadonlyMap<string, 'manager' | null>

/** Maximum number of memberships kept in memory. */
const MOST_KEPT = 200_000

/**
 * Cache of channel members: every event needs it. An entry is dropped as soon as a membership
 * changes, so that a removed member receives nothing afterwards.
 */
export class MemberIndex {
  readonly #store: ChannelStore
  readonly #kept = new Map<string, Members>()
  readonly #loading = new Map<string, Promise<Members>>()
  #size = 0

  constructor(store: ChannelStore) {
    this.#store = store
  }

  /** Null if they have to be loaded first. */
  peek(channelId: string): Members | null {
    return this.#kept.get(channelId) ?? null
  }

  async of(channelId: string): Promise<Members> {
    return (
      this.#kept.get(channelId) ?? (await (this.#loading.get(channelId) ?? this.#load(channelId)))
    )
  }

  /** Reads the members of channels that are not cached yet together, so that `of` finds them. */
  async readAhead(channelIds: readonly string[]): Promise<void> {
    const missing = channelIds.filter((id) => !this.#kept.has(id) && !this.#loading.has(id))
    if (missing.length === 0) return
    const reading = this.#store.membersOfSeveral(missing)
    const loads = missing.map((id) =>
      this.#load(
        id,
        reading.then((found) => found.get(id) ?? []),
      ),
    )
    await Promise.all(loads)
  }

  forget(channelId: string): void {
    // A load in progress may return data older than the change.
    this.#loading.delete(channelId)
    const members = this.#kept.get(channelId)
    if (!members) return
    this.#kept.delete(channelId)
    this.#size -= members.size
  }

  forgetAll(): void {
    this.#loading.clear()
    this.#kept.clear()
    this.#size = 0
  }

  #load(
    channelId: string,
    reading: Promise<readonly MemberRow[]> = this.#store.members(channelId),
  ): Promise<Members> {
    const loading: Promise<Members> = reading.then((rows) => {
      const members: Members = new Map(
        rows.filter(({ is_active }) => is_active === 1).map(({ user_id, role }) => [user_id, role]),
      )
      if (this.#loading.get(channelId) === loading) {
        this.#loading.delete(channelId)
        this.#keep(channelId, members)
      }
      return members
    })
    this.#loading.set(channelId, loading)
    return loading
  }

  #keep(channelId: string, members: Members): void {
    this.#kept.set(channelId, members)
    this.#size += members.size
    for (const [oldest, { size }] of this.#kept) {
      if (this.#size <= MOST_KEPT || oldest === channelId) return
      this.#kept.delete(oldest)
      this.#size -= size
    }
  }
}
