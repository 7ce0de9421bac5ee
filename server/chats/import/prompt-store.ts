import type { Selectable } from 'kysely'
import type { Storage } from '../../storage/index.ts'
import type { ImportPromptTable } from '../../storage/tables/chats.ts'

export type ImportPromptRow = Selectable<ImportPromptTable>

/** Maps prompts of other programs to the stored prompts, and records the imports that created them. */
export class ImportPromptStore {
  readonly #find
  readonly #save
  readonly #made

  constructor(storage: Storage) {
    this.#find = storage.prepare<[string, string, string], ImportPromptRow>(
      'select * from import_prompt where user_id = ? and source = ? and external_id = ?',
    )
    this.#save = storage.prepare(
      'insert into import_prompt (user_id, source, external_id, prompt_id, fingerprint, stamp, imported_at, run_id) ' +
        'values (@user_id, @source, @external_id, @prompt_id, @fingerprint, @stamp, @imported_at, @run_id) ' +
        'on conflict (user_id, source, external_id) do update set prompt_id = excluded.prompt_id, fingerprint = excluded.fingerprint, ' +
        'stamp = excluded.stamp, imported_at = excluded.imported_at, run_id = excluded.run_id',
    )
    this.#made = storage.prepare<[string, string], ImportPromptRow>(
      'select * from import_prompt where user_id = ? and run_id = ?',
    )
  }

  /** Returns the record of a prompt; rows of deleted prompts are gone. */
  find(userId: string, source: string, externalId: string): Promise<ImportPromptRow | undefined> {
    return this.#find.get(userId, source, externalId)
  }

  async save(row: ImportPromptRow): Promise<void> {
    await this.#save.run(row)
  }

  /** Returns the prompts that an import created and that still exist. */
  madeBy(userId: string, runId: string): Promise<ImportPromptRow[]> {
    return this.#made.all(userId, runId)
  }
}
