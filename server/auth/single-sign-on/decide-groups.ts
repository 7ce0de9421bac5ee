import type { OAuthGroupReport } from '#contract/oauth.ts'
import type { Groups } from '../../groups/index.ts'
import type { AuthSettings } from '../auth-settings.ts'
import { readList, type Claims } from './read-claims.ts'

/** The groups of a user after the sign-in, and the required changes. */
export interface GroupDecision {
  readonly report: OAuthGroupReport
  readonly joinIds: readonly string[]
  readonly leaveIds: readonly string[]
}

const LONGEST_NAME = 200

const toPattern = (text: string): RegExp =>
  new RegExp(
    `^${text
      .split('*')
      .map((part) => part.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&'))
      .join('.*')}$`,
  )

/**
 * Determines the groups a sign-in adds a user to. Of groups with the same name the first one
 * counts.
 */
export async function decideGroups(
  {
    settings,
    groups,
  }: {
    readonly settings: AuthSettings
    readonly groups: Groups
  },
  claims: Claims,
  userId: string | null,
): Promise<GroupDecision> {
  const isManaged = settings.get('ENABLE_OAUTH_GROUP_MANAGEMENT')
  const claim = settings.get('OAUTH_GROUP_CLAIM')
  const all = await groups.list()
  const ownIds = userId === null ? new Set<string>() : await groups.idsOf(userId)
  const own = all.filter(({ id }) => ownIds.has(id))
  const found = isManaged ? readList(claims, claim, settings.get('OAUTH_GROUPS_SEPARATOR')) : null
  const unchanged: OAuthGroupReport = {
    is_managed: isManaged,
    claim,
    found,
    groups: own.map(({ name }) => name),
    joined: [],
    left: [],
    created: [],
    blocked: [],
    unknown: [],
    warning: null,
  }
  if (!isManaged) return { report: unchanged, joinIds: [], leaveIds: [] }
  if (found === null) {
    const warning = `The claim ${claim || '(none is named)'} is missing, so that groups stay as they are.`
    return { report: { ...unchanged, warning }, joinIds: [], leaveIds: [] }
  }

  const patterns = settings.get('OAUTH_BLOCKED_GROUPS').map(toPattern)
  const isBlocked = (name: string): boolean => patterns.some((pattern) => pattern.test(name))
  const wanted = found.filter((name) => !isBlocked(name))
  const byName = new Map(all.toReversed().map((group) => [group.name, group]))
  const named = wanted.flatMap((name) => byName.get(name) ?? [])
  const missing = wanted.filter((name) => !byName.has(name))
  const isMaking = settings.get('ENABLE_OAUTH_GROUP_CREATION')
  const created = isMaking ? missing.filter((name) => name.length <= LONGEST_NAME) : []
  const joined = named.filter(({ id }) => !ownIds.has(id))
  const wantedIds = new Set(named.map(({ id }) => id))
  const left = own.filter(({ id, name }) => !wantedIds.has(id) && !isBlocked(name))
  const leftIds = new Set(left.map(({ id }) => id))
  const report: OAuthGroupReport = {
    ...unchanged,
    groups: [...own.filter(({ id }) => !leftIds.has(id)), ...joined]
      .map(({ name }) => name)
      .concat(created),
    joined: [...joined.map(({ name }) => name), ...created],
    left: left.map(({ name }) => name),
    created,
    blocked: found.filter(isBlocked),
    unknown: missing.filter((name) => !created.includes(name)),
  }
  return { report, joinIds: joined.map(({ id }) => id), leaveIds: [...leftIds] }
}
