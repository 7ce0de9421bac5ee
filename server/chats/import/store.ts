import type { Selectable } from 'kysely'
import type { Storage } from '../../storage/index.ts'
import type { ChatImportTable } from '../../storage/tables/chats.ts'

export type ImportRow = Selectable<ChatImportTable>

/** Which chat of an archive became which chat here. */
export class ImportStore {
  readonly #find
  readonly #save

  constructor(storage: Storage) {
    this.#find = storage.prepare<[string, string, string], ImportRow>(
      'select i.* from chat_import i join chat c on c.id = i.chat_id ' +
        'where i.user_id = ? and i.source = ? and i.external_id = ? and c.deleted_at is null',
    )
    this.#save = storage.prepare(
      'insert or replace into chat_import (user_id, source, external_id, chat_id, fingerprint, imported_at) ' +
        'values (@user_id, @source, @external_id, @chat_id, @fingerprint, @imported_at)',
    )
  }

  /** What a chat of an archive became, unless that lies in the trash. */
  find(userId: string, source: string, externalId: string): Promise<ImportRow | undefined> {
    return this.#find.get(userId, source, externalId)
  }

  async save(row: ImportRow): Promise<void> {
    await this.#save.run(row)
  }
}
