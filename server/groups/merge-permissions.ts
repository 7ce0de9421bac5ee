import {
  DEFAULT_PERMISSIONS,
  type Permissions,
  type PermissionsInput,
} from '#contract/permissions.ts'

const BRANCHES = Object.entries(DEFAULT_PERMISSIONS).map(([branch, keys]) => ({
  branch,
  keys: Object.keys(keys),
}))

/** Makes a whole tree by asking for each of its names. */
export const buildPermissions = (ask: (branch: string, key: string) => boolean): Permissions =>
  Object.fromEntries(
    BRANCHES.map(({ branch, keys }) => [
      branch,
      Object.fromEntries(keys.map((key) => [key, ask(branch, key)])),
    ]),
  ) as Permissions

/**
 * The value of a name in a part of the tree; own properties only, because names come from clients.
 */
export function readPermission(
  part: PermissionsInput,
  branch: string,
  key: string,
): boolean | undefined {
  const keys = Object.hasOwn(part, branch) ? part[branch] : undefined
  return keys && Object.hasOwn(keys, key) ? keys[key] : undefined
}

/** Puts the later parts over the earlier ones: what a part does not name keeps its value. */
export const overlayPermissions = (...parts: readonly PermissionsInput[]): Permissions =>
  buildPermissions(
    (branch, key) =>
      parts.findLast((part) => readPermission(part, branch, key) !== undefined)?.[branch]?.[key] ===
      true,
  )

/** The most permissive of all parts: what one of them allows is allowed. */
export const mergePermissions = (...parts: readonly PermissionsInput[]): Permissions =>
  buildPermissions((branch, key) =>
    parts.some((part) => readPermission(part, branch, key) === true),
  )

/** The names of a part that mean something; what a group stores. */
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
