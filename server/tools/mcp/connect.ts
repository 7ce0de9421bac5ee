import { AsyncLocalStorage } from 'node:async_hooks'
import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import type { AuthProvider } from '@modelcontextprotocol/client'
import { readLoginPath } from '../../lib/login-path.ts'
import type { OutgoingFetch } from '../../lib/outgoing/outgoing-fetch.ts'
import { because } from '../../lib/outgoing/purpose.ts'
import type { CallPlace } from '../calls/call-place.ts'
import type { MakeHeaders } from '../servers/request-headers.ts'
import { isProgram, type ServerRecord } from '../servers/server-record.ts'
import { findCommand } from './find-command.ts'
import {
  openMcpSession,
  type McpAddress,
  type McpSession,
  type McpSessionOptions,
} from './session.ts'

export interface ConnectDependencies {
  readonly outgoing: OutgoingFetch
  readonly makeHeaders: MakeHeaders
  /** Variables the gateway was started with; only a few are passed to a program. */
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly dataDir: string
  /** Returns the command line that starts a server's program with its connections listed. */
  readonly watchProgram?: WatchProgram
}

interface ProgramLine {
  readonly command: string
  readonly arguments: readonly string[]
}
export type WatchProgram = (line: ProgramLine, name: string) => Promise<ProgramLine>

/**
 * Variables that programs need from the environment; keys and settings of the gateway are excluded.
 */
const PASSED_ON =
  /^(HOME|USER|LOGNAME|SHELL|LANG|LC_\w+|TZ|TMPDIR|TEMP|TMP|SystemRoot|SystemDrive|windir|APPDATA|LOCALAPPDATA|PROGRAMDATA|PROGRAMFILES|USERPROFILE|HOMEDRIVE|HOMEPATH|PATHEXT|COMSPEC|HTTPS?_PROXY|NO_PROXY|XDG_\w+)$/i

/** Connects to MCP servers, over the network or as programs on this computer. */
export interface ConnectMcp {
  open(
    record: ServerRecord,
    place: CallPlace,
    options: McpSessionOptions & { readonly authProvider?: AuthProvider },
  ): Promise<McpSession>
  /**
   * Runs work so that its requests have the headers of this place, regardless of which caller
   * opened the connection.
   */
  within<Result>(place: CallPlace, work: () => Promise<Result>): Promise<Result>
}

export function createConnectMcp({
  outgoing,
  makeHeaders,
  environment,
  dataDir,
  watchProgram = (line) => Promise.resolve(line),
}: ConnectDependencies): ConnectMcp {
  const places = new AsyncLocalStorage<CallPlace>()
  let loginPath: Promise<string> | null = null
  const known = Object.fromEntries(
    Object.entries(environment).filter(
      (entry): entry is [string, string] => entry[1] !== undefined,
    ),
  )

  async function toProgram(record: ServerRecord): Promise<McpAddress> {
    loginPath ??= readLoginPath(known)
    const searchPath = await loginPath
    const folder = path.join(dataDir, 'tool-servers', record.id)
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const passed = Object.fromEntries(
      Object.entries(known).filter(([name]) => PASSED_ON.test(name)),
    )
    const command = await findCommand(record.command, searchPath)
    const line = { command, arguments: record.arguments }
    return {
      kind: 'stdio',
      ...(await watchProgram(line, record.name || record.id)),
      environment: { ...passed, PATH: searchPath, ...record.secrets.environment },
      folder,
    }
  }

  function toRemote(
    record: ServerRecord,
    opener: CallPlace,
    authProvider: AuthProvider | undefined,
  ): McpAddress {
    const { origin } = new URL(record.url)
    return {
      kind: 'http',
      url: record.url,
      headers: {},
      ...(authProvider && { authProvider }),
      fetch: async (url, init) => {
        const headers = new Headers(init?.headers)
        // Headers of the server are not sent to any other, such as the sign-in server.
        if (new URL(url).origin === origin) {
          const own = await makeHeaders(record, places.getStore() ?? opener)
          for (const [name, value] of Object.entries(own))
            if (!headers.has(name)) headers.set(name, value)
        }
        return because({ kind: 'tool_server', name: record.name }, () =>
          outgoing.fetch(url, { ...init, headers }),
        )
      },
    }
  }

  return {
    within: (place, work) => places.run(place, work),
    async open(record, place, { authProvider, ...options }) {
      const address = isProgram(record)
        ? await toProgram(record)
        : toRemote(record, place, authProvider)
      return openMcpSession(address, options)
    },
  }
}
