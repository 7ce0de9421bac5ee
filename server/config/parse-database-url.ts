import type { Environment } from './env.ts'
import { StartError } from './start-error.ts'

const refuse = (reason: string): never => {
  // Never contains the value, which may include a password.
  throw new StartError(`DATABASE_URL ${reason}`, { exitCode: 2 })
}

/** A database outside of the data folder. */
export interface DatabaseServer {
  /** `postgres://account:password@host:port/database` */
  readonly address: string
}

const ALLOWED =
  'Allowed: empty or sqlite: for a file in the data folder, or postgres://account:password@host:port/database.'

/** Returns the database server; null for the file in the data folder. */
export function parseDatabaseUrl(environment: Environment): DatabaseServer | null {
  const text = environment['DATABASE_URL']?.trim() ?? ''
  if (text === '' || text === 'sqlite:') return null
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null || !['postgres:', 'postgresql:'].includes(url.protocol))
    return refuse(`is not possible. ${ALLOWED}`)
  if (url.pathname.length < 2) return refuse(`names no database. ${ALLOWED}`)
  if (!environment['WEBUI_SECRET_KEY'])
    return refuse(
      'names a PostgreSQL database, which needs WEBUI_SECRET_KEY: a key file in the data folder would be lost with this computer. Set it to a long random text.',
    )
  return { address: text }
}
