import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import express from 'express'
import type { Role } from '#contract/common.ts'
import { mount, type Route } from '../lib/http.ts'
import { createLogger } from '../lib/logger.ts'

/** Caller of a test request; `admin:<id>` is the administrator with that id. */
export const CALLER_HEADER = 'x-test-caller'

export interface TestReply {
  readonly status: number
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into replies of any shape
  readonly body: any
}

export interface TestCall {
  readonly method?: 'GET' | 'POST' | 'DELETE'
  readonly body?: unknown
  /** A body that JSON.stringify cannot produce. */
  readonly text?: string
  readonly type?: string
}

export interface TestRoutes {
  /** Calls a path as the given caller; POST if there is a body, else GET. */
  call(caller: string | null, path: string, call?: TestCall): Promise<TestReply>
  /** For calls that are not JSON; the caller is named in `CALLER_HEADER`. */
  readonly origin: string
  close(): Promise<void>
}

/** Serves routes over real HTTP on a free loopback port; the caller is taken from a header. */
export async function serveTestRoutes(routes: readonly Route[]): Promise<TestRoutes> {
  const app = express()
  mount(app, routes, {
    log: createLogger('silent'),
    requirePermitted: () => undefined,
    authenticate: (request) => {
      const named = request.headers[CALLER_HEADER]
      if (typeof named !== 'string') return null
      const [id, role]: [string, Role] = named.startsWith('admin:')
        ? [named.slice(6), 'admin']
        : [named, 'user']
      return {
        userId: id,
        role,
        name: id,
        email: `${id}@example.org`,
        credential: 'bearer',
        keyId: null,
      }
    },
  })
  const server = app.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  return {
    origin,
    call: async (caller, path, { body, text, type = 'application/json', method } = {}) => {
      const sent = text ?? (body === undefined ? undefined : JSON.stringify(body))
      const response = await fetch(origin + path, {
        method: method ?? (sent === undefined ? 'GET' : 'POST'),
        headers: {
          ...(caller === null ? {} : { [CALLER_HEADER]: caller }),
          ...(sent === undefined ? {} : { 'content-type': type }),
        },
        body: sent,
      })
      return { status: response.status, body: JSON.parse(await response.text()) }
    },
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
