import { badRequest, type ServiceError } from '../lib/errors.ts'
import type { Route } from '../lib/http.ts'
import type { Storage } from './storage.ts'

/** What is asked for works on SQLite alone; `what` says what to do instead. */
export const onlyOnSqlite = (
  what = 'This part of it works on SQLite only.',
  code = 'only_on_sqlite',
): ServiceError => badRequest(`This gateway keeps its data in PostgreSQL. ${what}`, { code })

/** The routes of a part that works on SQLite alone; elsewhere each refuses in words. */
export const withSqliteOnly = (
  { engine }: Pick<Storage, 'engine'>,
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
