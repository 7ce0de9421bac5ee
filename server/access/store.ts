import type { AccessGrant } from '#contract/access.ts'
import type { Storage } from '../storage/index.ts'
import type { ResourceType } from './index.ts'

export interface StoredGrant extends AccessGrant {
  readonly resource_id: string
}

export type AccessStore = ReturnType<typeof createAccessStore>

/** SQL on the table `access_grant`. */
export function createAccessStore(storage: Storage) {
  const { builder } = storage
  return {
    readType: (type: ResourceType): StoredGrant[] =>
      storage.all(
        builder
          .selectFrom('access_grant')
          .select(['resource_id', 'principal_type', 'principal_id', 'permission'])
          .where('resource_type', '=', type),
      ),
    add: (type: ResourceType, id: string, grant: AccessGrant): void => {
      const { principal_type, principal_id, permission } = grant
      storage.run(
        builder
          .insertInto('access_grant')
          .values({ resource_type: type, resource_id: id, principal_type, principal_id, permission })
          .onConflict((conflict) => conflict.doNothing()),
      )
    },
    remove: (type: ResourceType, id: string): void => {
      storage.run(builder.deleteFrom('access_grant').where('resource_type', '=', type).where('resource_id', '=', id))
    },
    removePrincipal: (type: AccessGrant['principal_type'], id: string): void => {
      storage.run(builder.deleteFrom('access_grant').where('principal_type', '=', type).where('principal_id', '=', id))
    },
  }
}
