import type { Author } from '#contract/common.ts'

interface Accounts {
  get(id: string): { readonly id: string; readonly name: string; readonly profile_image_url: string } | null
}

/** Who wrote something, for replies; null once the account is gone. */
export function toAuthor(users: Accounts, userId: string): Author {
  const user = users.get(userId)
  return user && { id: user.id, name: user.name, profile_image_url: user.profile_image_url }
}
