import type { AuthSettings } from '../auth-settings.ts'
import type { FinishOptions, Person } from './provider-client.ts'
import { readText } from './read-claims.ts'
import { SignInFailure } from './sign-in-failure.ts'

/** Returns the claims required by a sign-in, and those it uses if the provider sends them. */
export function claimsToRead(settings: AuthSettings): Pick<FinishOptions, 'needed' | 'wanted'> {
  const needed = [
    settings.get('OAUTH_SUB_CLAIM'),
    settings.get('OAUTH_EMAIL_CLAIM'),
    ...(settings.get('ENABLE_OAUTH_ROLE_MANAGEMENT') ? [settings.get('OAUTH_ROLES_CLAIM')] : []),
    ...(settings.get('ENABLE_OAUTH_GROUP_MANAGEMENT') ? [settings.get('OAUTH_GROUP_CLAIM')] : []),
  ]
  const wanted = [
    settings.get('OAUTH_USERNAME_CLAIM'),
    settings.get('OAUTH_PICTURE_CLAIM'),
    ...(settings.get('OAUTH_MERGE_ACCOUNTS_BY_EMAIL') ? ['email_verified'] : []),
  ]
  return { needed, wanted }
}

/** Returns the same user, identified by the claim an administrator chose. */
export function toAccountOwner<Who extends Person>(settings: AuthSettings, person: Who): Who {
  const claim = settings.get('OAUTH_SUB_CLAIM')
  if (claim === '') return person
  const subject = readText(person.claims, claim)
  if (subject === null)
    throw new SignInFailure(
      'claims',
      'The provider did not say who you are. Ask an administrator.',
      {
        detail: `The claim ${claim} is missing.`,
        remedy: 'Let the provider send it, or leave OAUTH_SUB_CLAIM empty.',
        settings: ['OAUTH_SUB_CLAIM'],
      },
    )
  return { ...person, identity: { ...person.identity, subject } }
}
