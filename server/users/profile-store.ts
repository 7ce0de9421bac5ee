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

export type ProfileStore = ReturnType<typeof createProfileStore>

/** SQL on the table `user_profile`; an account that never told anything has no row. */
export function createProfileStore(storage: Storage) {
  const { builder } = storage
  const write = (userId: string, changes: Partial<StoredProfile> & { info?: string }): void => {
    storage.run(
      builder
        .insertInto('user_profile')
        .values({ user_id: userId })
        .onConflict((conflict) => conflict.doNothing()),
    )
    storage.run(builder.updateTable('user_profile').set(changes).where('user_id', '=', userId))
  }
  return {
    get: (userId: string): StoredProfile | null =>
      storage.get(
        builder.selectFrom('user_profile').select(COLUMNS).where('user_id', '=', userId),
      ) ?? null,
    update: (userId: string, changes: Partial<StoredProfile>): void => {
      if (Object.keys(changes).length > 0) storage.transaction(() => write(userId, changes))
    },
    info: (userId: string): string | null =>
      storage.get(builder.selectFrom('user_profile').select('info').where('user_id', '=', userId))
        ?.info ?? null,
    setInfo: (userId: string, info: string): void =>
      storage.transaction(() => write(userId, { info })),
  }
}
