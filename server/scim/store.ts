import type { Storage } from '../storage/index.ts'

/** The provisioning system's names of an account. */
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

  async user(id: string): Promise<ProvisionedUser | null> {
    return (
      (await this.#storage.get(
        this.#storage.builder
          .selectFrom('scim_user')
          .select(['external_id', 'user_name'])
          .where('user_id', '=', id),
      )) ?? null
    )
  }

  async users(): Promise<Map<string, ProvisionedUser>> {
    return new Map(
      (await this.#storage.all(this.#storage.builder.selectFrom('scim_user').selectAll())).map(
        ({ user_id, ...user }) => [user_id, user],
      ),
    )
  }

  async findUser(by: 'external_id' | 'user_name', text: string): Promise<string | null> {
    return (
      (
        await this.#storage.get(
          this.#storage.builder.selectFrom('scim_user').select('user_id').where(by, '=', text),
        )
      )?.user_id ?? null
    )
  }

  async putUser(id: string, user: ProvisionedUser): Promise<void> {
    await this.#storage.run(
      this.#storage.builder
        .insertInto('scim_user')
        .values({ user_id: id, ...user })
        .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ ...user })),
    )
  }

  async groupExternalId(id: string): Promise<string | null> {
    return (
      (
        await this.#storage.get(
          this.#storage.builder
            .selectFrom('scim_group')
            .select('external_id')
            .where('group_id', '=', id),
        )
      )?.external_id ?? null
    )
  }

  async groupExternalIds(): Promise<Map<string, string | null>> {
    return new Map(
      (await this.#storage.all(this.#storage.builder.selectFrom('scim_group').selectAll())).map(
        (row) => [row.group_id, row.external_id],
      ),
    )
  }

  async findGroup(externalId: string): Promise<string | null> {
    return (
      (
        await this.#storage.get(
          this.#storage.builder
            .selectFrom('scim_group')
            .select('group_id')
            .where('external_id', '=', externalId),
        )
      )?.group_id ?? null
    )
  }

  async putGroup(id: string, externalId: string | null): Promise<void> {
    await this.#storage.run(
      this.#storage.builder
        .insertInto('scim_group')
        .values({ group_id: id, external_id: externalId })
        .onConflict((conflict) =>
          conflict.column('group_id').doUpdateSet({ external_id: externalId }),
        ),
    )
  }
}
