import type { Permission, Permissions, PermissionsInput } from '#contract/permissions.ts'

export type { Permission } from '#contract/permissions.ts'

export type Branch = keyof Permissions

/** Branches in display order, the most used first. */
export const BRANCHES: readonly Branch[] = [
  'chat',
  'features',
  'workspace',
  'sharing',
  'access_grants',
  'settings',
]

/** Returns the permissions of a branch, as the gateway names them. */
export const permissionsOf = (tree: Permissions, branch: Branch): readonly Permission[] =>
  Object.keys(tree[branch]).map((key) => `${branch}.${key}` as Permission)

/** Returns true if a full or partial tree grants a permission. */
export function isOn(tree: PermissionsInput, permission: Permission): boolean {
  const [branch = '', key = ''] = permission.split('.')
  return tree[branch]?.[key] === true
}

/** Returns a full or partial tree with one permission changed. */
export function withPermission(
  tree: PermissionsInput,
  permission: Permission,
  value: boolean,
): PermissionsInput {
  const [branch = '', key = ''] = permission.split('.')
  return { ...tree, [branch]: { ...tree[branch], [key]: value } }
}

/** Returns the number of permissions a group adds to the defaults. */
export const countAdded = (added: PermissionsInput, defaults: Permissions): number =>
  BRANCHES.flatMap((branch) => permissionsOf(defaults, branch)).filter(
    (each) => isOn(added, each) && !isOn(defaults, each),
  ).length
