import { toolServerInputSchema, type ToolServerInput } from '#contract/tool-servers.ts'
import { badRequest } from '../../lib/errors.ts'
import { isRecord } from '../../lib/is-record.ts'

/** Entries read from a configuration, and a sentence for each unreadable one. */
export interface ReadServers {
  readonly inputs: readonly ToolServerInput[]
  readonly problems: readonly string[]
}

const MOST_SERVERS = 100
const toId = (name: string): string =>
  name
    .trim()
    .toLowerCase()
    .replaceAll(/[^\w.-]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 64)

/** Returns the address of a server under the name its client uses. */
const addressOf = (entry: Record<string, unknown>): unknown =>
  entry['url'] ?? entry['serverUrl'] ?? entry['httpUrl']

/**
 * Converts an entry to the gateway's own format. An authorization header of the usual kind becomes
 * a key.
 */
function toInput(name: string, entry: Record<string, unknown>): unknown {
  const headers = isRecord(entry['headers']) ? { ...entry['headers'] } : {}
  const [signIn, value] =
    Object.entries(headers).find(([header]) => header.toLowerCase() === 'authorization') ?? []
  const key = typeof value === 'string' ? /^bearer\s+(\S+)$/i.exec(value)?.[1] : undefined
  if (signIn !== undefined && key !== undefined) delete headers[signIn]
  return {
    type: 'mcp',
    url: addressOf(entry) ?? '',
    command: entry['command'] ?? '',
    args: entry['args'] ?? [],
    env: entry['env'] ?? {},
    headers,
    auth_type: key === undefined ? 'none' : 'bearer',
    key: key ?? '',
    config: { enable: entry['disabled'] !== true },
    info: { id: toId(name), name },
  }
}

/**
 * Parses the JSON in which most MCP clients store their servers; the enclosing `mcpServers` may be
 * missing. Throws 400 if it contains no servers.
 */
export function readServers(configuration: Record<string, unknown>): ReadServers {
  const wrapped = configuration['mcpServers'] ?? configuration['servers']
  const entries = Object.entries(isRecord(wrapped) ? wrapped : configuration)
  if (entries.length === 0)
    throw badRequest(
      'There are no servers in this JSON. It should have "mcpServers" with one entry for each server.',
    )
  if (entries.length > MOST_SERVERS)
    throw badRequest(`These are more than ${MOST_SERVERS} servers.`)
  const inputs: ToolServerInput[] = []
  const problems: string[] = []
  for (const [name, entry] of entries) {
    if (!isRecord(entry) || (entry['command'] ?? addressOf(entry)) === undefined) {
      problems.push(`${name} has neither a command nor an address.`)
      continue
    }
    const parsed = toolServerInputSchema.safeParse(toInput(name, entry))
    if (parsed.success) inputs.push(parsed.data)
    else
      problems.push(
        `${name}: ${parsed.error.issues.map(({ path, message }) => `${path.join('.')} ${message}`).join('; ')}.`,
      )
  }
  if (inputs.length === 0) throw badRequest(problems.join(' '))
  return { inputs, problems }
}
