import type { Permission, Permissions, PermissionsInput } from '#contract/permissions.ts'

export type { Permission } from '#contract/permissions.ts'

export type Branch = keyof Permissions

/** The branches in the order they are shown, what people use most first. */
export const BRANCHES: readonly Branch[] = [
  'chat',
  'features',
  'workspace',
  'sharing',
  'access_grants',
  'settings',
]

/** The permissions of a branch, as the gateway names them. */
export const permissionsOf = (tree: Permissions, branch: Branch): readonly Permission[] =>
  Object.keys(tree[branch]).map((key) => `${branch}.${key}` as Permission)

/** Whether a tree, or a part of one, says yes. */
export function isOn(tree: PermissionsInput, permission: Permission): boolean {
  const [branch = '', key = ''] = permission.split('.')
  return tree[branch]?.[key] === true
}

/** A tree, or a part of one, with another answer for one permission. */
export function withPermission(
  tree: PermissionsInput,
  permission: Permission,
  value: boolean,
): PermissionsInput {
  const [branch = '', key = ''] = permission.split('.')
  return { ...tree, [branch]: { ...tree[branch], [key]: value } }
}

/** How many permissions a group adds to what everybody has. */
export const countAdded = (added: PermissionsInput, defaults: Permissions): number =>
  BRANCHES.flatMap((branch) => permissionsOf(defaults, branch)).filter(
    (each) => isOn(added, each) && !isOn(defaults, each),
  ).length
