import { StartError } from '../config/start-error.ts'
import type { Backup } from './backups/backup.ts'

/** Options of an administrator for a damaged database. */
export type RecoveryChoice = 'without-log' | 'restore' | 'fresh'

const exampleOf = (backups: readonly Backup[]): string =>
  backups[0]
    ? `with DATABASE_RECOVERY=restore to put back the backup of ${backups[0].takenAt.toISOString()}, or `
    : ''

const LOG_ALONE =
  'with DATABASE_RECOVERY=without-log to set only its write-ahead log aside, which loses the last changes, or '

/**
 * The database cannot be trusted. Nothing was changed; the administrator chooses how to continue.
 */
export class DamagedDatabaseError extends StartError {
  readonly path: string
  readonly fault: string
  /** Backups that were opened and found sound, newest first. */
  readonly backups: readonly Backup[]
  readonly choices: readonly RecoveryChoice[]

  /** `isWholeAlone` is true if the file is sound without its log. */
  constructor(
    path: string,
    fault: string,
    options: { backups: readonly Backup[]; isWholeAlone?: boolean; cause?: unknown },
  ) {
    const { backups, isWholeAlone = false, cause } = options
    super(
      `The database ${path} is damaged: ${fault}. Nothing was changed. Start again ${isWholeAlone ? LOG_ALONE : ''}${exampleOf(backups)}` +
        'with DATABASE_RECOVERY=fresh to begin empty. What is damaged is kept in the quarantine folder either way.',
      { reason: 'damaged', exitCode: 3, cause },
    )
    this.name = 'DamagedDatabaseError'
    this.path = path
    this.fault = fault
    this.backups = backups
    this.choices = [
      ...(isWholeAlone ? ['without-log' as const] : []),
      ...(backups.length > 0 ? ['restore' as const] : []),
      'fresh',
    ]
  }
}

/** The database was written by a newer version; nothing was read or written. */
export class NewerSchemaError extends StartError {
  /** Going back is offered if a backup fits this version. */
  readonly choices: readonly RecoveryChoice[]

  constructor(
    path: string,
    versions: { found: number; known: number; program: string },
    backup: Backup | undefined,
  ) {
    const offer = backup
      ? ` or, losing what came later, start with DATABASE_RECOVERY=restore to put the backup ${backup.path} in its place`
      : ''
    super(
      `The database ${path} has schema ${versions.found}, but Chat Gateway ${versions.program} knows schemas up to ${versions.known}. ` +
        `Install the newer Chat Gateway again${offer}. Nothing was changed.`,
      { reason: 'newer-schema', exitCode: 4 },
    )
    this.name = 'NewerSchemaError'
    this.choices = backup ? ['restore'] : []
  }
}

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : ''

const DAMAGE = /^SQLITE_(CORRUPT|NOTADB|FORMAT)/
const NOT_WRITABLE = /^(SQLITE_(READONLY|CANTOPEN|PERM|AUTH)|EROFS|EACCES|EPERM)/
const FULL = /^(SQLITE_FULL|SQLITE_IOERR_(WRITE|SHMSIZE|SHMMAP|FSYNC)|ENOSPC|EDQUOT)/

/**
 * Returns true if SQLite found the file itself damaged, as opposed to an error of the disk or its
 * permissions.
 */
export const isDamage = (error: unknown): boolean => DAMAGE.test(codeOf(error))

/** Explains in a sentence why a file of the data folder could not be opened or written. */
export function toStartError(error: unknown, path: string): unknown {
  if (error instanceof StartError) return error
  const code = codeOf(error)
  if (NOT_WRITABLE.test(code)) {
    return new StartError(
      `${path} cannot be written to. Check the permissions of the folder, or choose another one with DATA_DIR.`,
      {
        reason: 'read-only',
        cause: error,
      },
    )
  }
  if (FULL.test(code)) {
    return new StartError(`There is no space left for ${path}. Free some space and start again.`, {
      cause: error,
    })
  }
  if (code.startsWith('SQLITE_BUSY')) {
    return new StartError(`Another program is using ${path}. Close it and start again.`, {
      reason: 'locked',
      cause: error,
    })
  }
  return error
}
