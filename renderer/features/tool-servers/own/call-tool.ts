import { toRequest } from '../../../api/openapi.ts'
import { translate } from '../../../lib/i18n.ts'
import type { OwnServer } from './own-server.ts'
import { authorization, type Description } from './read-description.ts'
import { failureOf, readReply } from './read-reply.ts'
import type { Reach } from './reach.ts'

/** Response of a window to `execute:tool`: the data and its headers. */
export type ToolAnswer = readonly [data: unknown, headers: Readonly<Record<string, string>> | null]

export interface ToolCall {
  readonly name: string
  readonly params: Readonly<Record<string, unknown>>
}

const WAIT_MILLISECONDS = 300_000
/** Maximum size of one message to the gateway, with space for its encoding. */
const LARGEST = 700 * 1024

const failed = (text: string): ToolAnswer => [{ error: text }, null]

/** Calls an operation of a server; errors are returned as responses the model can read. */
export async function callTool(
  {
    reach,
    server,
    description,
    key,
  }: { reach: Reach; server: OwnServer; description: Description; key: string },
  { name, params }: ToolCall,
  cancelled: AbortSignal,
): Promise<ToolAnswer> {
  const operation = description.operations.find(({ operationId }) => operationId === name)
  if (!operation) return failed(translate('toolServers.own.noTool', { name, server: server.name }))
  const signal = AbortSignal.any([cancelled, AbortSignal.timeout(WAIT_MILLISECONDS)])
  try {
    const { method, path, headers, body } = toRequest(operation, params)
    const response = await reach.fetch(server.url + path, {
      method,
      body,
      signal,
      headers: { ...headers, ...authorization(key) },
    })
    const data = await readReply(response, LARGEST)
    if (response.status >= 400)
      return failed(
        `HTTP error ${response.status}: ${typeof data === 'string' ? data : JSON.stringify(data)}`,
      )
    return [data, Object.fromEntries(response.headers)]
  } catch (thrown) {
    return failed(failureOf(thrown, signal, server.url).message)
  }
}
