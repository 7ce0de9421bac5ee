import type { Storage } from '../../storage/index.ts'

/** Maps uploads of other programs to the stored files. */
export class ImportFileStore {
  readonly #find
  readonly #save

  constructor(storage: Storage) {
    this.#find = storage.prepare<[string, string, string], { file_id: string }>(
      'select file_id from import_file where user_id = ? and source = ? and external_id = ?',
    )
    this.#save = storage.prepare<[string, string, string, string], never>(
      'insert into import_file (user_id, source, external_id, file_id) values (?, ?, ?, ?) ' +
        'on conflict (user_id, source, external_id) do update set file_id = excluded.file_id',
    )
  }

  async find(userId: string, source: string, externalId: string): Promise<string | undefined> {
    return (await this.#find.get(userId, source, externalId))?.file_id
  }

  async save(userId: string, source: string, externalId: string, fileId: string): Promise<void> {
    await this.#save.run(userId, source, externalId, fileId)
  }
}
