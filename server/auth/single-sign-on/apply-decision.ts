import type { OAuthGroupReport } from '#contract/oauth.ts'
import type { Groups } from '../../groups/index.ts'
import type { Logger } from '../../lib/logger.ts'
import type { AuthSettings } from '../auth-settings.ts'
import type { Storage } from '../../storage/index.ts'
import type { UserRecord, Users } from '../../users/index.ts'
import type { ApiKeys } from '../api-keys.ts'
import type { Decision } from './decide-account.ts'
import { decideGroups } from './decide-groups.ts'
import type { Person } from './provider-client.ts'
import type { Provider } from './providers.ts'
import type { SingleSignOnStore } from './store.ts'

export interface ApplyDependencies {
  readonly storage: Storage
  readonly settings: AuthSettings
  readonly users: Users
  readonly groups: Groups
  readonly apiKeys: Pick<ApiKeys, 'list' | 'remove'>
  readonly store: SingleSignOnStore
  readonly log: Logger
  /** Makes an account; the very first one is an administrator and closes sign-up. */
  readonly createAccount: (input: Parameters<Users['create']>[0]) => UserRecord
}

/** A group needs an owner; groups made by sign-ins belong to the first administrator. */
function createGroup(
  { groups, users, settings }: ApplyDependencies,
  name: string,
  fallbackId: string,
): string {
  const share = settings.get('OAUTH_GROUP_DEFAULT_SHARE')
  const config = { share: share === 'members' ? share : share === 'true' }
  const fields = {
    name,
    description: 'Made by a sign-in.',
    permissions: {},
    data: { config },
    meta: {},
  }
  return groups.create(users.first()?.id ?? fallbackId, fields).id
}

function syncGroups(
  deps: ApplyDependencies,
  claims: Person['claims'],
  userId: string,
): OAuthGroupReport {
  const { report, joinIds, leaveIds } = decideGroups(deps, claims, userId)
  const createdIds = report.created.map((name) => createGroup(deps, name, userId))
  for (const id of [...joinIds, ...createdIds]) deps.groups.changeMembers(id, { add: [userId] })
  for (const id of leaveIds) deps.groups.changeMembers(id, { remove: [userId] })
  return report
}

/**
 * An account whose address was never proved may have been made by anyone: the person who proves the
 * address gets it, and its former credentials are removed.
 */
function takeFromStranger({ users, apiKeys, store }: ApplyDependencies, { id }: UserRecord): void {
  if (!store.isUnproved(id)) return
  users.removePassword(id)
  for (const key of apiKeys.list(id)) apiKeys.remove(id, key.id)
  users.revokeSessions(id)
  store.noteProved(id)
}

function toChanges(
  { settings, users }: ApplyDependencies,
  user: UserRecord,
  { outcome, account }: Decision,
): Parameters<Users['update']>[1] {
  const { role, name, email } = outcome
  const hasNewRole = !user.isFirst && role?.role != null && role.role !== user.role
  const hasNewName =
    account !== null &&
    settings.get('OAUTH_UPDATE_NAME_ON_LOGIN') &&
    name !== null &&
    name !== user.name
  const hasNewEmail =
    account !== null &&
    settings.get('OAUTH_UPDATE_EMAIL_ON_LOGIN') &&
    email !== null &&
    email !== user.email
  return {
    ...(hasNewRole && { role: role.role! }),
    ...(hasNewName && { name }),
    ...(hasNewEmail && users.findByEmail(email) === null && { email }),
  }
}

/** Does what was decided, all of it or nothing. Answers the account as it is then. */
export function applyDecision(
  deps: ApplyDependencies,
  { provider, person, decision }: { provider: Provider; person: Person; decision: Decision },
): UserRecord {
  const { storage, users, store, log } = deps
  const { outcome } = decision
  return storage.transaction(() => {
    const { name, email, role } = outcome
    let user =
      decision.account ??
      deps.createAccount({ name: name!, email: email!, role: role!.role!, isRegistration: true })
    if (outcome.outcome === 'merged') takeFromStranger(deps, user)
    store.putIdentity(person.identity, provider.id, user.id)
    const changes = toChanges(deps, user, decision)
    if (Object.keys(changes).length > 0) user = users.update(user.id, changes)
    const { warning } = syncGroups(deps, person.claims, user.id)
    if (warning !== null) log.warn({ user_id: user.id, provider: provider.id }, warning)
    // Sessions that ended meanwhile raised the version that the next session needs.
    return users.get(user.id)!
  })
}
