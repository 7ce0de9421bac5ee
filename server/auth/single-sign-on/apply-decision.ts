import { mapInOrder } from '../../lib/in-order.ts'
import type { OAuthGroupReport } from '#contract/oauth.ts'
import type { Groups } from '../../groups/index.ts'
import type { Logger } from '../../lib/logger.ts'
import type { AuthSettings } from '../auth-settings.ts'
import type { Storage } from '../../storage/index.ts'
import type { UserRecord, Users } from '../../users/index.ts'
import type { ApiKeys } from '../keys/api-keys.ts'
import type { Decision } from './decide-account.ts'
import { decideGroups } from './decide-groups.ts'
import type { Person } from './provider-client.ts'
import type { Provider } from './providers.ts'
import type { SingleSignOnStore } from './store.ts'
import { takeFromStranger } from './take-from-stranger.ts'

export interface ApplyDependencies {
  readonly storage: Storage
  readonly settings: AuthSettings
  readonly users: Users
  readonly groups: Groups
  readonly apiKeys: ApiKeys
  readonly store: SingleSignOnStore
  readonly log: Logger
  /** Creates an account; the very first one is an administrator and disables sign-up. */
  readonly createAccount: (input: Parameters<Users['create']>[0]) => Promise<UserRecord>
}

/** A group needs an owner; groups created by sign-ins belong to the first administrator. */
async function createGroup(
  { groups, users, settings }: ApplyDependencies,
  name: string,
  fallbackId: string,
): Promise<string> {
  const share = settings.get('OAUTH_GROUP_DEFAULT_SHARE')
  const config = { share: share === 'members' ? share : share === 'true' }
  const fields = {
    name,
    description: 'Made by a sign-in.',
    permissions: {},
    data: { config },
    meta: {},
  }
  return (await groups.create((await users.first())?.id ?? fallbackId, fields)).id
}

async function syncGroups(
  deps: ApplyDependencies,
  claims: Person['claims'],
  userId: string,
): Promise<OAuthGroupReport> {
  const { report, joinIds, leaveIds } = await decideGroups(deps, claims, userId)
  const createdIds = await mapInOrder(report.created, (name) => createGroup(deps, name, userId))
  for (const id of [...joinIds, ...createdIds])
    await deps.groups.changeMembers(id, { add: [userId] })
  for (const id of leaveIds) await deps.groups.changeMembers(id, { remove: [userId] })
  return report
}

async function toChanges(
  { settings, users }: ApplyDependencies,
  user: UserRecord,
  { outcome, account }: Decision,
): Promise<Parameters<Users['update']>[1]> {
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
    ...(hasNewEmail && (await users.findByEmail(email)) === null && { email }),
  }
}

/** Applies a decision, all of it or nothing. Returns the resulting account. */
export async function applyDecision(
  deps: ApplyDependencies,
  { provider, person, decision }: { provider: Provider; person: Person; decision: Decision },
): Promise<UserRecord> {
  const { storage, users, store, log } = deps
  const { outcome } = decision
  return storage.transaction(async () => {
    const { name, email, role } = outcome
    let user =
      decision.account ??
      (await deps.createAccount({
        name: name!,
        email: email!,
        role: role!.role!,
        isRegistration: true,
      }))
    if (outcome.outcome === 'merged') await takeFromStranger(deps, user)
    await store.putIdentity(person.identity, provider.id, user.id)
    const changes = await toChanges(deps, user, decision)
    if (Object.keys(changes).length > 0) user = await users.update(user.id, changes)
    const { warning } = await syncGroups(deps, person.claims, user.id)
    if (warning !== null) log.warn({ user_id: user.id, provider: provider.id }, warning)
    // Sessions that ended meanwhile raised the version that the next session needs.
    return (await users.get(user.id))!
  })
}
