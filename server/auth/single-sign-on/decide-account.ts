import type { OAuthOutcome } from '#contract/oauth.ts'
import type { Groups } from '../../groups/index.ts'
import type { AuthSettings } from '../auth-settings.ts'
import type { UserRecord, Users } from '../../users/index.ts'
import { decideGroups, type GroupDecision } from './decide-groups.ts'
import { decideRole } from './decide-role.ts'
import type { Person } from './provider-client.ts'
import type { Provider } from './providers.ts'
import { isAllowedDomain, readEmail, readText, readVerified } from './read-claims.ts'
import { SignInFailure } from './sign-in-failure.ts'
import type { SingleSignOnStore } from './store.ts'

interface DecideDependencies {
  readonly settings: AuthSettings
  readonly users: Users
  readonly groups: Groups
  readonly store: SingleSignOnStore
}

/** The effect of a sign-in, computed before anything is changed. */
export interface Decision {
  readonly outcome: OAuthOutcome
  /** The account that is signed in to; null if a new one or none is created. */
  readonly account: UserRecord | null
  readonly groups: GroupDecision | null
  /** Reason why the sign-in fails. */
  readonly failure: SignInFailure | null
}

interface DecideOptions {
  /** True if accounts may be created by this sign-in method. */
  readonly mayCreate: boolean
  /** Throws 403 if this user may not create the very first account. */
  readonly requireMayBeFirst: () => Promise<void>
}

const LONGEST_NAME = 200

const EMPTY: OAuthOutcome = Object.freeze({
  outcome: 'refused',
  reason: null,
  user_id: null,
  email: null,
  email_verified: null,
  name: null,
  picture: null,
  role: null,
  groups: null,
})

/** Finds the account by issuer and subject, else by an e-mail address verified by the provider. */
async function findAccount(
  { settings, users, store }: DecideDependencies,
  person: Person,
  email: string,
) {
  const ownerId = await store.findUser(person.identity)
  const known = ownerId === null ? null : await users.get(ownerId)
  if (known) return { account: known, outcome: 'known' as const }
  const holder = await users.findByEmail(email)
  if (!holder) return { account: null, outcome: 'created' as const }
  const taken = (detail: string, remedy: string, names: string[]): SignInFailure =>
    new SignInFailure(
      'account',
      'This email address is already registered. Sign in the way you did before.',
      {
        detail,
        remedy,
        settings: names,
      },
    )
  if (!settings.get('OAUTH_MERGE_ACCOUNTS_BY_EMAIL'))
    throw taken(
      `${email} has an account here that this identity does not belong to.`,
      'Switch OAUTH_MERGE_ACCOUNTS_BY_EMAIL on to join them, if the provider verifies addresses.',
      ['OAUTH_MERGE_ACCOUNTS_BY_EMAIL'],
    )
  if (readVerified(person.claims) !== true)
    throw taken(
      `The provider does not say that ${email} is verified (claim email_verified), so that its account is not joined.`,
      'Verify the address at the provider, and let it send the claim email_verified.',
      [],
    )
  if ((await store.identitiesOf(holder.id)).some(({ issuer }) => issuer === person.identity.issuer))
    throw taken(
      `${email} has an account here that belongs to another identity of this provider.`,
      'If it is the same person, delete the account or change its address.',
      [],
    )
  return { account: holder, outcome: 'merged' as const }
}

async function requireMayCreate(
  { settings, users }: DecideDependencies,
  { mayCreate, requireMayBeFirst }: DecideOptions,
): Promise<void> {
  if (!mayCreate || !settings.get('ENABLE_OAUTH_SIGNUP'))
    throw new SignInFailure(
      'account',
      'There is no account for you here. Ask an administrator for one.',
      {
        detail: mayCreate
          ? 'Nobody here has this identity, and sign-ins make no accounts.'
          : 'Nobody here has this identity.',
        remedy: mayCreate
          ? 'Switch ENABLE_OAUTH_SIGNUP on, so that the first sign-in makes an account.'
          : 'Sign in with a browser once.',
        settings: ['ENABLE_OAUTH_SIGNUP'],
      },
    )
  if ((await users.count()) === 0) await requireMayBeFirst()
}

/** Reads the e-mail address and its domain; every sign-in needs both. */
function readAddress(
  { settings }: DecideDependencies,
  provider: Provider,
  { claims }: Person,
): string {
  const claim = settings.get('OAUTH_EMAIL_CLAIM')
  const email = readEmail(claims, claim)
  if (email === null) {
    const text = readText(claims, claim)
    throw new SignInFailure(
      'claims',
      `${provider.name} did not tell your e-mail address. Ask an administrator.`,
      {
        detail:
          text === null
            ? `The claim ${claim} is missing.`
            : `The claim ${claim} is no e-mail address that can be used.`,
        remedy:
          'Ask for the scope email, let the provider send the address, or name the claim that holds it.',
        settings: ['OAUTH_EMAIL_CLAIM', ...(provider.id === 'oidc' ? ['OAUTH_SCOPES'] : [])],
      },
    )
  }
  if (!isAllowedDomain(email, settings.get('OAUTH_ALLOWED_DOMAINS')))
    throw new SignInFailure(
      'account',
      'E-mail addresses of this domain may not sign in here. Ask an administrator.',
      {
        detail: `The domain of ${email} is not listed.`,
        remedy: 'List the domain.',
        settings: ['OAUTH_ALLOWED_DOMAINS'],
      },
    )
  return email
}

/**
 * Determines the effect of a sign-in: the same for browsers, for clients that exchange a token, and
 * for trials.
 */
export async function decideAccount(
  deps: DecideDependencies,
  provider: Provider,
  person: Person,
  options: DecideOptions,
): Promise<Decision> {
  const { settings } = deps
  const { claims } = person
  const pictureClaim = settings.get('OAUTH_PICTURE_CLAIM')
  let outcome: OAuthOutcome = {
    ...EMPTY,
    email_verified: readVerified(claims),
    name:
      readText(claims, settings.get('OAUTH_USERNAME_CLAIM'))
        ?.replaceAll(/\p{C}/gu, '')
        .slice(0, LONGEST_NAME) || null,
    picture: pictureClaim === '' ? null : readText(claims, pictureClaim),
  }
  let account: UserRecord | null = null
  try {
    const email = readAddress(deps, provider, person)
    outcome = { ...outcome, email, name: outcome.name ?? email }
    const found = await findAccount(deps, person, email)
    account = found.account
    if (!account) await requireMayCreate(deps, options)
    const role = decideRole(settings, claims, account)
    outcome = { ...outcome, user_id: account?.id ?? null, role }
    const groups = await decideGroups(deps, claims, account?.id ?? null)
    outcome = { ...outcome, groups: groups.report }
    if (role.role === null)
      throw new SignInFailure(
        'account',
        'Your account there has no role that may sign in here. Ask an administrator.',
        {
          detail: `The claim ${role.claim} names ${JSON.stringify(role.found).slice(0, 300)}, none of which is listed.`,
          remedy: 'Give the person one of the listed roles at the provider, or list one they have.',
          settings: ['OAUTH_ALLOWED_ROLES', 'OAUTH_ADMIN_ROLES', 'OAUTH_ROLES_CLAIM'],
        },
      )
    return { outcome: { ...outcome, outcome: found.outcome }, account, groups, failure: null }
  } catch (error) {
    if (!(error instanceof SignInFailure)) throw error
    return {
      outcome: { ...outcome, outcome: 'refused', reason: error.message },
      account,
      groups: null,
      failure: error,
    }
  }
}
