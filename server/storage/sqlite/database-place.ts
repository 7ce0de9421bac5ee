import type Sqlite from 'better-sqlite3'
import { closeSync, mkdirSync, openSync, renameSync, rmSync, statSync } from 'node:fs'
import path from 'node:path'
import { syncFolder } from '../../lib/write-file-atomically.ts'

/** The path at which a database was opened, where somebody else may move or delete it. */
export class DatabasePlace {
  readonly #sqlite: Sqlite.Database
  readonly #file: string
  readonly #opened

  constructor(sqlite: Sqlite.Database) {
    this.#sqlite = sqlite
    this.#file = sqlite.name
    this.#opened = this.#find()
  }

  /** True if nothing is at the path any more. */
  get isEmpty(): boolean {
    return !this.#sqlite.memory && !this.#find()
  }

  /** Throws if the file at the path is not the opened one. */
  check(): void {
    const found = this.#find()
    if (found?.dev !== this.#opened?.dev || found?.ino !== this.#opened?.ino)
      throw new Error('The database is not at its place any more.')
  }

  /**
   * Writes the opened database to the empty path. On systems where open files can be deleted, it
   * would be gone when it is closed.
   */
  fill(): void {
    const temporary = `${this.#file}.new`
    mkdirSync(path.dirname(this.#file), { recursive: true, mode: 0o700 })
    rmSync(temporary, { force: true })
    closeSync(openSync(temporary, 'wx', 0o600))
    this.#sqlite.prepare('vacuum into ?').run(temporary)
    renameSync(temporary, this.#file)
    syncFolder(path.dirname(this.#file))
  }

  #find() {
    if (this.#sqlite.memory) return undefined
    return statSync(this.#file, { bigint: true, throwIfNoEntry: false })
  }
}
