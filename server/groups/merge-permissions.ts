import {
  DEFAULT_PERMISSIONS,
  type Permissions,
  type PermissionsInput,
} from '#contract/permissions.ts'

const BRANCHES = Object.entries(DEFAULT_PERMISSIONS).map(([branch, keys]) => ({
  branch,
  keys: Object.keys(keys),
}))

/** Builds a complete tree by calling `ask` for each of its names. */
export const buildPermissions = (ask: (branch: string, key: string) => boolean): Permissions =>
  Object.fromEntries(
    BRANCHES.map(({ branch, keys }) => [
      branch,
      Object.fromEntries(keys.map((key) => [key, ask(branch, key)])),
    ]),
  ) as Permissions

/**
 * Returns the value of a name in a part of the tree; own properties only, because names come from
 * clients.
 */
export function readPermission(
  part: PermissionsInput,
  branch: string,
  key: string,
): boolean | undefined {
  const keys = Object.hasOwn(part, branch) ? part[branch] : undefined
  return keys && Object.hasOwn(keys, key) ? keys[key] : undefined
}

/** Lays the later parts over the earlier ones: a name missing from a part keeps its value. */
export const overlayPermissions = (...parts: readonly PermissionsInput[]): Permissions =>
  buildPermissions(
    (branch, key) =>
      parts.findLast((part) => readPermission(part, branch, key) !== undefined)?.[branch]?.[key] ===
      true,
  )

/** Merges the parts permissively: permitted if one of them permits it. */
export const mergePermissions = (...parts: readonly PermissionsInput[]): Permissions =>
  buildPermissions((branch, key) =>
    parts.some((part) => readPermission(part, branch, key) === true),
  )

/** Returns the known names of a part, as stored by a group. */
export function keepKnown(part: PermissionsInput): PermissionsInput {
  const kept: PermissionsInput = {}
  for (const { branch, keys } of BRANCHES) {
    const named = keys.filter((key) => readPermission(part, branch, key) !== undefined)
    if (named.length > 0)
      kept[branch] = Object.fromEntries(
        named.map((key) => [key, readPermission(part, branch, key) === true]),
      )
  }
  return kept
}
