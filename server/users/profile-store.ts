import { among } from '../storage/among.ts'
import type { Storage } from '../storage/index.ts'
import type { UsersTables } from '../storage/tables/users.ts'

export type StoredProfile = Omit<UsersTables['user_profile'], 'user_id' | 'info'>

const WITHOUT_PICTURE = [
  'username',
  'bio',
  'gender',
  'date_of_birth',
  'timezone',
  'profile_banner_image_url',
  'status_emoji',
  'status_message',
  'status_expires_at',
] as const
const COLUMNS = [...WITHOUT_PICTURE, 'profile_image_url'] as const

/** SQL on the table `user_profile`; an account with an empty profile has no row. */
export class ProfileStore {
  readonly #storage: Storage

  constructor(storage: Storage) {
    this.#storage = storage
  }

  async get(userId: string): Promise<StoredProfile | null> {
    return (
      (await this.#storage.get(
        this.#storage.builder
          .selectFrom('user_profile')
          .select(COLUMNS)
          .where('user_id', '=', userId),
      )) ?? null
    )
  }

  /** Profiles of several users without their pictures, which may be large. */
  several(
    userIds: readonly string[],
  ): Promise<(Omit<StoredProfile, 'profile_image_url'> & { readonly user_id: string })[]> {
    return this.#storage.all(
      this.#storage.builder
        .selectFrom('user_profile')
        .select(['user_id', ...WITHOUT_PICTURE])
        .where('user_id', 'in', among(userIds)),
    )
  }

  async update(userId: string, changes: Partial<StoredProfile>): Promise<void> {
    if (Object.keys(changes).length > 0)
      await this.#storage.transaction(() => this.#write(userId, changes))
  }

  async info(userId: string): Promise<string | null> {
    return (
      (
        await this.#storage.get(
          this.#storage.builder
            .selectFrom('user_profile')
            .select('info')
            .where('user_id', '=', userId),
        )
      )?.info ?? null
    )
  }

  /** Replaces the data by what `change` makes of it in the same transaction. */
  async changeInfo(userId: string, change: (info: string | null) => string): Promise<void> {
    await this.#storage.transaction(async () =>
      this.#write(userId, { info: change(await this.info(userId)) }),
    )
  }

  async #write(userId: string, changes: Partial<StoredProfile> & { info?: string }): Promise<void> {
    await this.#storage.run(
      this.#storage.builder
        .insertInto('user_profile')
        .values({ user_id: userId })
        .onConflict((conflict) => conflict.doNothing()),
    )
    await this.#storage.update('user_profile', { user_id: userId }, changes)
  }
}
