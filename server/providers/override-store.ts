import { nowSeconds } from '../lib/ids.ts'
import type { Storage } from '../storage/index.ts'
import type { Secrets } from '../storage/secrets.ts'
import type { ConnectionOverride } from './override-connection.ts'

/** What administrators changed about connections of the environment. */
export interface OverrideStore {
  get(id: string): ConnectionOverride | null
  /** Stores what differs from the environment, and nothing when nothing does. */
  put(id: string, override: ConnectionOverride): void
  remove(id: string): void
}

const isEmpty = (values: object): boolean => Object.keys(values).length === 0

export function createOverrideStore(storage: Storage, secrets: Secrets): OverrideStore {
  const { builder } = storage
  const placeOf = (id: string): string => `connection_override|${id}|secrets`

  function remove(id: string): void {
    storage.run(builder.deleteFrom('connection_override').where('id', '=', id))
  }

  return {
    get(id) {
      const row = storage.get(
        builder.selectFrom('connection_override').selectAll().where('id', '=', id),
      )
      if (!row) return null
      const text = row.secrets === null ? null : secrets.decrypt(placeOf(id), row.secrets)
      return {
        fields: JSON.parse(row.fields) as ConnectionOverride['fields'],
        secrets: JSON.parse(text ?? '{}') as ConnectionOverride['secrets'],
        isLocked: row.secrets !== null && text === null,
      }
    },
    put(id, override) {
      if (isEmpty(override.fields) && isEmpty(override.secrets) && !override.isLocked)
        return remove(id)
      const plain = { fields: JSON.stringify(override.fields), updated_at: nowSeconds() }
      const sealed = isEmpty(override.secrets)
        ? null
        : secrets.encrypt(placeOf(id), JSON.stringify(override.secrets))
      // Secrets that cannot be read now stay, for the day the right root secret is back.
      const row = override.isLocked ? plain : { ...plain, secrets: sealed }
      storage.run(
        builder
          .insertInto('connection_override')
          .values({ id, secrets: null, ...row })
          .onConflict((conflict) => conflict.column('id').doUpdateSet(row)),
      )
    },
    remove,
  }
}
