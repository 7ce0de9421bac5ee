import type { Selectable } from 'kysely'
import type { Storage } from '../../storage/index.ts'
import type { ChatImportTable } from '../../storage/tables/chats.ts'

export type ImportRow = Selectable<ChatImportTable>

/** A chat created by an import, with its last change at the import and now. */
export interface MadeChat {
  readonly chat_id: string
  readonly stored_at: number
  readonly updated_at: number
}

/** An import with chats that still exist. */
export interface ImportRun {
  readonly run_id: string
  readonly source: string
  readonly imported_at: number
  readonly chats: number
  readonly prompts: number
}

/** Maps chats of archives to the stored chats, and records the imports that created them. */
export class ImportStore {
  readonly #find
  readonly #save
  readonly #made
  readonly #runs
  readonly #saveFolder
  readonly #folders

  constructor(storage: Storage) {
    this.#find = storage.prepare<[string, string, string], ImportRow>(
      'select i.* from chat_import i join chat c on c.id = i.chat_id ' +
        'where i.user_id = ? and i.source = ? and i.external_id = ? and c.deleted_at is null',
    )
    this.#save = storage.prepare(
      'insert into chat_import (user_id, source, external_id, chat_id, fingerprint, imported_at, run_id, stored_at) ' +
        'values (@user_id, @source, @external_id, @chat_id, @fingerprint, @imported_at, @run_id, @stored_at) ' +
        'on conflict (user_id, source, external_id) do update set chat_id = excluded.chat_id, fingerprint = excluded.fingerprint, ' +
        'imported_at = excluded.imported_at, run_id = excluded.run_id, stored_at = excluded.stored_at',
    )
    this.#made = storage.prepare<[string, string], MadeChat>(
      'select i.chat_id, i.stored_at, c.updated_at from chat_import i join chat c on c.id = i.chat_id ' +
        'where i.user_id = ? and i.run_id = ? and c.user_id = i.user_id and c.deleted_at is null',
    )
    this.#runs = storage.prepare<[string, string, number], ImportRun>(
      'select run_id, source, max(imported_at) as imported_at, sum(chats) as chats, sum(prompts) as prompts from (' +
        'select i.run_id, i.source, i.imported_at, 1 as chats, 0 as prompts ' +
        'from chat_import i join chat c on c.id = i.chat_id ' +
        'where i.user_id = ? and i.run_id is not null and c.deleted_at is null ' +
        'union all select run_id, source, imported_at, 0, 1 from import_prompt where user_id = ?' +
        ') as made group by run_id, source order by imported_at desc limit ?',
    )
    this.#saveFolder = storage.prepare<[string, string, string], never>(
      'insert into import_folder (user_id, run_id, folder_id) values (?, ?, ?) on conflict do nothing',
    )
    this.#folders = storage.prepare<[string, string], { folder_id: string }>(
      'select folder_id from import_folder where user_id = ? and run_id = ?',
    )
  }

  /** Returns the stored chat for a chat of an archive, unless it is in the trash. */
  find(userId: string, source: string, externalId: string): Promise<ImportRow | undefined> {
    return this.#find.get(userId, source, externalId)
  }

  async save(row: ImportRow): Promise<void> {
    await this.#save.run(row)
  }

  /** Returns the chats that an import created and that are not in the trash. */
  madeBy(userId: string, runId: string): Promise<MadeChat[]> {
    return this.#made.all(userId, runId)
  }

  /** Returns the latest imports with items that still exist. */
  runs(userId: string, most: number): Promise<ImportRun[]> {
    return this.#runs.all(userId, userId, most)
  }

  async saveFolder(userId: string, runId: string, folderId: string): Promise<void> {
    await this.#saveFolder.run(userId, runId, folderId)
  }

  async foldersOf(userId: string, runId: string): Promise<string[]> {
    return (await this.#folders.all(userId, runId)).map(({ folder_id: id }) => id)
  }
}
