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
 * What an administrator changed about a connection of the environment; everything else is as the
 * environment has it.
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
 * What is wanted beyond the environment. Values that are the same there are not stored, so that
 * they follow it when it changes.
 */
export const toOverride = (
  base: ConnectionRecord,
  wanted: ConnectionRecord,
): ConnectionOverride => ({
  fields: pickChanged(PLAIN, wanted, base),
  secrets: pickChanged(SECRET, wanted, base),
  isLocked: wanted.isLocked,
})

/** A connection of the environment with what was changed about it. */
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
 * Names the overrides of connections by what the environment says of them: an address that is moved
 * to another place keeps its key, and no key goes to an address it was not entered for. Equal
 * addresses are told apart by their order.
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
