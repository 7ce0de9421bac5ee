import type { Storage } from '../storage/index.ts'

/** How the system that provisions people calls an account. */
export interface ProvisionedUser {
  readonly external_id: string | null
  readonly user_name: string
}

/** SQL on the tables of `0031-scim`. */
export class ScimStore {
  readonly #storage: Storage

  constructor(storage: Storage) {
    this.#storage = storage
  }

  user(id: string): ProvisionedUser | null {
    return (
      this.#storage.get(
        this.#storage.builder
          .selectFrom('scim_user')
          .select(['external_id', 'user_name'])
          .where('user_id', '=', id),
      ) ?? null
    )
  }

  users(): Map<string, ProvisionedUser> {
    return new Map(
      this.#storage
        .all(this.#storage.builder.selectFrom('scim_user').selectAll())
        .map(({ user_id, ...user }) => [user_id, user]),
    )
  }

  findUser(by: 'external_id' | 'user_name', text: string): string | null {
    return (
      this.#storage.get(
        this.#storage.builder.selectFrom('scim_user').select('user_id').where(by, '=', text),
      )?.user_id ?? null
    )
  }

  putUser(id: string, user: ProvisionedUser): void {
    this.#storage.run(
      this.#storage.builder
        .insertInto('scim_user')
        .values({ user_id: id, ...user })
        .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ ...user })),
    )
  }

  groupExternalId(id: string): string | null {
    return (
      this.#storage.get(
        this.#storage.builder
          .selectFrom('scim_group')
          .select('external_id')
          .where('group_id', '=', id),
      )?.external_id ?? null
    )
  }

  groupExternalIds(): Map<string, string | null> {
    return new Map(
      this.#storage
        .all(this.#storage.builder.selectFrom('scim_group').selectAll())
        .map((row) => [row.group_id, row.external_id]),
    )
  }

  findGroup(externalId: string): string | null {
    return (
      this.#storage.get(
        this.#storage.builder
          .selectFrom('scim_group')
          .select('group_id')
          .where('external_id', '=', externalId),
      )?.group_id ?? null
    )
  }

  putGroup(id: string, externalId: string | null): void {
    this.#storage.run(
      this.#storage.builder
        .insertInto('scim_group')
        .values({ group_id: id, external_id: externalId })
        .onConflict((conflict) =>
          conflict.column('group_id').doUpdateSet({ external_id: externalId }),
        ),
    )
  }
}
