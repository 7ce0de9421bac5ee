import { isDeepStrictEqual } from 'node:util'
import type { ConnectionRecord } from './connection-record.ts'

const PLAIN = [
  'name',
  'enabled',
  'prefix_id',
  'model_ids',
  'timeout_seconds',
  'connection_type',
  'access',
  'use_proxy',
  'trusted_certificate',
] as const
const SECRET = ['key', 'headers'] as const

/**
 * Changes an administrator made to a connection of the environment; all other values come from the
 * environment.
 */
export interface ConnectionOverride {
  readonly fields: Partial<Pick<ConnectionRecord, (typeof PLAIN)[number]>>
  readonly secrets: Partial<Pick<ConnectionRecord, (typeof SECRET)[number]>>
  /**
   * True when the secrets could not be read, because they were written under another root secret.
   */
  readonly isLocked: boolean
}

function pickChanged<Key extends keyof ConnectionRecord>(
  keys: readonly Key[],
  wanted: ConnectionRecord,
  base: ConnectionRecord,
): Partial<Pick<ConnectionRecord, Key>> {
  const changed = keys.filter((key) => !isDeepStrictEqual(wanted[key], base[key]))
  return Object.fromEntries(changed.map((key) => [key, wanted[key]])) as Partial<
    Pick<ConnectionRecord, Key>
  >
}

/**
 * Returns the differences from the environment. Equal values are not stored, so that they follow
 * the environment when it changes.
 */
export const toOverride = (
  base: ConnectionRecord,
  wanted: ConnectionRecord,
): ConnectionOverride => ({
  fields: pickChanged(PLAIN, wanted, base),
  secrets: pickChanged(SECRET, wanted, base),
  isLocked: wanted.isLocked,
})

/** Returns a connection of the environment with its changes applied. */
export function applyOverride(
  base: ConnectionRecord,
  override: ConnectionOverride | null,
): ConnectionRecord {
  if (override === null) return base
  const { fields, secrets, isLocked } = override
  return {
    ...base,
    ...fields,
    ...secrets,
    isLocked,
    overridden: [...PLAIN, ...SECRET].filter((key) => key in fields || key in secrets),
  }
}

/**
 * Derives the names of connection overrides from the environment's values: a URL that moves to
 * another position keeps its key, and no key is used for a URL it was not entered for. Equal URLs
 * are distinguished by their order.
 */
export function nameOverrides(records: readonly ConnectionRecord[]): Map<ConnectionRecord, string> {
  const seen = new Map<string, number>()
  return new Map(
    records.map((record) => {
      const name = `${record.kind}|${record.url}`
      const count = seen.get(name) ?? 0
      seen.set(name, count + 1)
      return [record, `${name}|${count}`]
    }),
  )
}
