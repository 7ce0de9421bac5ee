import type { AccessGrant, AccessGrantRecord } from '#contract/access.ts'
import { newId, nowSeconds } from '../lib/ids.ts'
import type { Storage } from '../storage/index.ts'
import type { ResourceType } from './resource-type.ts'

/** SQL on the table `access_grant`. */
export class AccessStore {
  readonly #storage: Storage

  constructor(storage: Storage) {
    this.#storage = storage
  }

  readType(type: ResourceType): Promise<AccessGrantRecord[]> {
    return this.#storage.all(this.#ofType(type))
  }

  /** Returns the grants on one resource. */
  readOf(type: ResourceType, id: string): Promise<AccessGrantRecord[]> {
    return this.#storage.all(this.#ofType(type).where('resource_id', '=', id))
  }

  async add(type: ResourceType, id: string, grant: AccessGrant): Promise<void> {
    const { principal_type, principal_id, permission } = grant
    await this.#storage.run(
      this.#storage.builder
        .insertInto('access_grant')
        .values({
          id: newId(),
          resource_type: type,
          resource_id: id,
          principal_type,
          principal_id,
          permission,
          created_at: nowSeconds(),
        })
        .onConflict((conflict) => conflict.doNothing()),
    )
  }

  async removeOne(id: string): Promise<void> {
    await this.#storage.remove('access_grant', id)
  }

  async remove(type: ResourceType, id: string): Promise<void> {
    await this.#storage.remove('access_grant', { resource_type: type, resource_id: id })
  }

  async removePrincipal(type: AccessGrant['principal_type'], id: string): Promise<void> {
    await this.#storage.remove('access_grant', { principal_type: type, principal_id: id })
  }

  #ofType(type: ResourceType) {
    return this.#storage.builder
      .selectFrom('access_grant')
      .select([
        'id',
        'resource_type',
        'resource_id',
        'principal_type',
        'principal_id',
        'permission',
        'created_at',
      ])
      .where('resource_type', '=', type)
  }
}
