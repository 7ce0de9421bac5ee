import type { OAuthOutcome } from '#contract/oauth.ts'

interface Doubt {
  readonly detail: string
  readonly remedy: string
  readonly settings: string[]
}

/**
 * Warns of a sign-in that works, but may differ from the administrator's intent: a claim that is
 * used but never sent.
 */
export function findDoubts({ role, groups }: OAuthOutcome): Doubt | null {
  const missing = [
    ...(role?.is_managed && role.found === null
      ? [{ claim: role.claim, setting: 'OAUTH_ROLES_CLAIM' }]
      : []),
    ...(groups?.is_managed && groups.found === null
      ? [{ claim: groups.claim, setting: 'OAUTH_GROUP_CLAIM' }]
      : []),
  ]
  if (missing.length > 0)
    return {
      detail: missing
        .map(({ claim, setting }) =>
          claim === ''
            ? `${setting} names no claim.`
            : `The claim ${claim} is missing, or holds neither a list nor a text.`,
        )
        .join(' '),
      remedy:
        'Let the provider put it into the ID token or into the answer of its userinfo endpoint, not into the access token alone, or name the claim that holds it. What the provider says now stands below.',
      settings: missing.map(({ setting }) => setting),
    }
  if (role?.rule === 'default')
    return {
      detail: 'The provider manages roles, but none is listed here.',
      remedy: 'List the roles that make an administrator or a user.',
      settings: ['OAUTH_ALLOWED_ROLES', 'OAUTH_ADMIN_ROLES'],
    }
  return null
}
