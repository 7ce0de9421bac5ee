import { nowSeconds } from '../../lib/ids.ts'
import type { Storage } from '../../storage/index.ts'
import type { Secrets } from '../../storage/secrets/secrets.ts'
import type { ConnectionOverride } from './override-connection.ts'

const isEmpty = (values: object): boolean => Object.keys(values).length === 0
const purposeOf = (id: string): string => `connection_override|${id}|secrets`

/** Stores the changes administrators made to connections of the environment. */
export class OverrideStore {
  readonly #storage: Storage
  readonly #secrets: Secrets

  constructor({ storage, secrets }: { storage: Storage; secrets: Secrets }) {
    this.#storage = storage
    this.#secrets = secrets
  }

  async get(id: string): Promise<ConnectionOverride | null> {
    const { builder } = this.#storage
    const row = await this.#storage.get(
      builder.selectFrom('connection_override').selectAll().where('id', '=', id),
    )
    if (!row) return null
    const text = row.secrets === null ? null : this.#secrets.decrypt(purposeOf(id), row.secrets)
    return {
      fields: JSON.parse(row.fields) as ConnectionOverride['fields'],
      secrets: JSON.parse(text ?? '{}') as ConnectionOverride['secrets'],
      isLocked: row.secrets !== null && text === null,
    }
  }

  /** Stores the differences from the environment; deletes the row if there are none. */
  async put(id: string, override: ConnectionOverride): Promise<void> {
    if (isEmpty(override.fields) && isEmpty(override.secrets) && !override.isLocked)
      return this.remove(id)
    const plain = { fields: JSON.stringify(override.fields), updated_at: nowSeconds() }
    const sealed = isEmpty(override.secrets)
      ? null
      : this.#secrets.encrypt(purposeOf(id), JSON.stringify(override.secrets))
    // Secrets that cannot be read now are kept, because the root secret may be restored.
    const row = override.isLocked ? plain : { ...plain, secrets: sealed }
    await this.#storage.run(
      this.#storage.builder
        .insertInto('connection_override')
        .values({ id, secrets: null, ...row })
        .onConflict((conflict) => conflict.column('id').doUpdateSet(row)),
    )
  }

  async remove(id: string): Promise<void> {
    await this.#storage.remove('connection_override', id)
  }
}
