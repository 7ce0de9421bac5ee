import type { Author, Role } from '#contract/common.ts'
import type { Caller } from './http.ts'

interface Accounts {
  get(id: string): Promise<{
    readonly id: string
    readonly name: string
    readonly role: Role
    readonly email: string
    readonly profile_image_url: string
  } | null>
}

/**
 * Returns the author of an item, as visible to a reader; null once the account no longer exists.
 * Role and e-mail address are visible only to administrators and the user.
 */
export async function toAuthor(
  users: Accounts,
  userId: string,
  reader?: Pick<Caller, 'userId' | 'role'>,
): Promise<Author> {
  const user = await users.get(userId)
  if (!user) return null
  const { id, name, role, email, profile_image_url } = user
  const seesAll = reader !== undefined && (reader.role === 'admin' || reader.userId === id)
  return { id, name, ...(seesAll && { role, email }), profile_image_url }
}
