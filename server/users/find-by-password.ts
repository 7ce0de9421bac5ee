import type { Passwords } from './passwords.ts'
import type { createUserDetailStore, createUserStore } from './store.ts'
import type { Users } from './index.ts'

interface Parts {
  readonly store: ReturnType<typeof createUserStore>
  readonly details: ReturnType<typeof createUserDetailStore>
  readonly passwords: Passwords
}

export function createFindByPassword({
  store,
  details,
  passwords,
}: Parts): Users['findByPassword'] {
  return async (email, password, line = 'sign-in') => {
    const user = store.findByEmail(email)
    const stored = user ? details.passwordHash(user.id) : null
    const isRight = await passwords.verify(stored, password, line)
    if (!isRight || !user || stored === null) return null
    const rehashed = (await passwords.needsRehash(stored))
      ? await passwords.hash(password, line)
      : null
    const current = store.get(user.id)
    // The password may have been changed or the account deleted while this one was being hashed.
    if (current?.tokenVersion !== user.tokenVersion) return null
    if (rehashed !== null) details.setPasswordHash(user.id, rehashed)
    return current
  }
}
