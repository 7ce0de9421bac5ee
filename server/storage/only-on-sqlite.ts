import { badRequest, type ServiceError } from '../lib/errors.ts'
import type { Route } from '../lib/http.ts'
import type { Storage } from './storage.ts'

/** Returns the error for a feature that works on SQLite only; `what` describes the alternative. */
export const onlyOnSqlite = (
  what = 'This part of it works on SQLite only.',
  code = 'only_on_sqlite',
): ServiceError => badRequest(`This gateway keeps its data in PostgreSQL. ${what}`, { code })

/**
 * Returns the routes of a feature that works on SQLite only; on other engines each one throws an
 * error message.
 */
export const withSqliteOnly = (
  { engine }: Storage,
  routes: readonly Route[],
  what: string,
): Route[] =>
  engine === 'sqlite'
    ? [...routes]
    : routes.map(({ endpoint }) => ({
        endpoint,
        handler: () => {
          throw onlyOnSqlite(what)
        },
      }))
