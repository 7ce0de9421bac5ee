import { SCIM_SCHEMAS } from '#contract/scim.ts'
import type { GroupRecord } from '../groups/index.ts'
import type { UserRecord } from '../users/index.ts'
import { findName } from './filter.ts'
import type { ProvisionedUser } from './store.ts'

export type Resource = Record<string, unknown>

const toTime = (seconds: number): string => new Date(seconds * 1000).toISOString()

interface Times {
  readonly id: string
  readonly created_at: number
  readonly updated_at: number
}

const toMeta = (
  resourceType: 'User' | 'Group',
  { id, created_at, updated_at }: Times,
  root: string,
) => ({
  resourceType,
  created: toTime(created_at),
  lastModified: toTime(updated_at),
  location: `${root}/${resourceType}s/${encodeURIComponent(id)}`,
})

/**
 * The last word becomes the family name and the others the given name, because nothing else is
 * known.
 */
function splitName(name: string): { givenName: string; familyName: string } {
  const place = name.lastIndexOf(' ')
  return place === -1
    ? { givenName: name, familyName: '' }
    : { givenName: name.slice(0, place), familyName: name.slice(place + 1) }
}

interface UserFacts {
  readonly provisioned: ProvisionedUser | null
  readonly groups: readonly Pick<GroupRecord, 'id' | 'name'>[]
  readonly root: string
}

/** Returns an account as a resource. A user waiting for approval is not active. */
export function toUserResource(
  user: UserRecord,
  { provisioned, groups, root }: UserFacts,
): Resource {
  return {
    schemas: [SCIM_SCHEMAS.user],
    id: user.id,
    ...(provisioned?.external_id && { externalId: provisioned.external_id }),
    userName: provisioned?.user_name ?? user.email,
    name: { formatted: user.name, ...splitName(user.name) },
    displayName: user.name,
    emails: [{ value: user.email, type: 'work', primary: true }],
    active: user.role !== 'pending',
    groups: groups.map(({ id, name }) => ({
      value: id,
      display: name,
      $ref: `${root}/Groups/${encodeURIComponent(id)}`,
      type: 'direct',
    })),
    meta: toMeta('User', user, root),
  }
}

export interface GroupFacts {
  readonly externalId: string | null
  /** As created by `toMember`, or with their ids alone; null omits them. */
  readonly members: readonly Resource[] | null
  readonly root: string
}

/** Returns a member of a group. */
export const toMember = (
  { id, name }: Pick<UserRecord, 'id' | 'name'>,
  root: string,
): Resource => ({
  value: id,
  display: name,
  $ref: `${root}/Users/${encodeURIComponent(id)}`,
  type: 'User',
})

/** Returns a group as a resource. */
export function toGroupResource(
  group: GroupRecord,
  { externalId, members, root }: GroupFacts,
): Resource {
  return {
    schemas: [SCIM_SCHEMAS.group],
    id: group.id,
    ...(externalId && { externalId }),
    displayName: group.name,
    ...(members && { members }),
    meta: toMeta('Group', group, root),
  }
}

/** Attributes that every response contains, whatever a client requests. */
const ALWAYS = ['schemas', 'id']

const toNames = (list: string): string[] =>
  list
    .split(',')
    .map((name) => name.trim().replace(/^urn:[\w:.-]+:(?:User|Group):/i, ''))
    .map((name) => name.split('.', 1)[0]!.toLowerCase())
    .filter((name) => name !== '')

/** Comma-separated attribute names. */
export interface Shown {
  readonly attributes?: string
  readonly excludedAttributes?: string
}

/** Selects the requested attributes: those named, or all except the excluded ones. */
export function select(resource: Resource, { attributes, excludedAttributes }: Shown): Resource {
  if (attributes !== undefined && attributes.trim() !== '') {
    const names = [...ALWAYS, ...toNames(attributes)]
      .map((name) => findName(resource, name))
      .filter((name) => name !== null)
    return Object.fromEntries([...new Set(names)].map((name) => [name, resource[name]]))
  }
  const excluded = new Set(toNames(excludedAttributes ?? ''))
  return Object.fromEntries(
    Object.entries(resource).filter(
      ([name]) => ALWAYS.includes(name) || !excluded.has(name.toLowerCase()),
    ),
  )
}

/** Reports whether a client requests an attribute, so that slow ones are read only when needed. */
export const isShown = (name: string, query: Shown): boolean =>
  findName(select({ [name]: null }, query), name) !== null
