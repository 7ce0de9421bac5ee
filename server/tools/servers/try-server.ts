import { badRequest } from '../../lib/errors.ts'
import type { CallPlace } from '../calls/call-place.ts'
import type { ConnectMcp } from '../mcp/connect.ts'
import type { McpSession } from '../mcp/session.ts'
import { loadDescription, openOpenApi, type OpenApiDependencies } from '../openapi/open-openapi.ts'
import type { OpenServer } from './open-server.ts'
import { isProgram, type ServerRecord } from './server-record.ts'

/** Result of trying a server; an OpenAPI server has a document. */
export interface TriedServer {
  readonly server: OpenServer
  readonly document: Record<string, unknown> | null
}

const LAST_LINES = 5

export const fromSession = (
  session: McpSession,
  functions: OpenServer['functions'],
  connect: ConnectMcp,
): OpenServer => ({
  functions,
  call: (name, given, { place, signal, onProgress }) =>
    connect.within(place, () => session.call(name, given, { signal, onProgress })),
})

/**
 * Tries a server that need not be stored, and disconnects afterwards. Throws 400 with the reason,
 * and with the output of a program.
 */
export async function tryServer(
  { connectMcp, openApi }: { connectMcp: ConnectMcp; openApi: OpenApiDependencies },
  record: ServerRecord,
  { place, signal }: { place: CallPlace; signal: AbortSignal },
): Promise<TriedServer> {
  if (record.type === 'openapi') {
    const { document, description } = await loadDescription(record, openApi, signal)
    return { server: openOpenApi(record, description, openApi), document }
  }
  const lines: string[] = []
  try {
    const session = await connectMcp.open(record, place, {
      signal,
      onLog: (line) => void lines.push(line),
    })
    try {
      return {
        server: fromSession(session, await session.tools(signal), connectMcp),
        document: null,
      }
    } finally {
      await session.close()
    }
  } catch (error) {
    const said =
      isProgram(record) && lines.length > 0
        ? ` It wrote: ${lines.slice(-LAST_LINES).join(' / ')}`
        : ''
    throw badRequest(`${error instanceof Error ? error.message : String(error)}${said}`, {
      cause: error,
    })
  }
}
