import type { Storage } from '../storage/index.ts'
import type { UsersTables } from '../storage/tables/users.ts'

export type StoredProfile = Omit<UsersTables['user_profile'], 'user_id' | 'info'>

const COLUMNS = [
  'username',
  'bio',
  'gender',
  'date_of_birth',
  'timezone',
  'profile_image_url',
  'profile_banner_image_url',
  'status_emoji',
  'status_message',
  'status_expires_at',
] as const

/** SQL on the table `user_profile`; an account that never told anything has no row. */
export class ProfileStore {
  readonly #storage: Storage

  constructor(storage: Storage) {
    this.#storage = storage
  }

  get(userId: string): StoredProfile | null {
    return (
      this.#storage.get(
        this.#storage.builder
          .selectFrom('user_profile')
          .select(COLUMNS)
          .where('user_id', '=', userId),
      ) ?? null
    )
  }

  update(userId: string, changes: Partial<StoredProfile>): void {
    if (Object.keys(changes).length > 0)
      this.#storage.transaction(() => this.#write(userId, changes))
  }

  info(userId: string): string | null {
    return (
      this.#storage.get(
        this.#storage.builder
          .selectFrom('user_profile')
          .select('info')
          .where('user_id', '=', userId),
      )?.info ?? null
    )
  }

  setInfo(userId: string, info: string): void {
    this.#storage.transaction(() => this.#write(userId, { info }))
  }

  #write(userId: string, changes: Partial<StoredProfile> & { info?: string }): void {
    this.#storage.run(
      this.#storage.builder
        .insertInto('user_profile')
        .values({ user_id: userId })
        .onConflict((conflict) => conflict.doNothing()),
    )
    this.#storage.run(
      this.#storage.builder.updateTable('user_profile').set(changes).where('user_id', '=', userId),
    )
  }
}
