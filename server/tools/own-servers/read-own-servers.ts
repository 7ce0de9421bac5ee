import { cleanToolText } from '#contract/openapi/clean-text.ts'
import { isRecord } from '../../lib/is-record.ts'
import type { ServerFunction } from '../servers/open-server.ts'

/** A tool server of the caller, as described by the caller's window. */
export interface OwnServer {
  readonly url: string
  readonly name: string
  readonly functions: readonly ServerFunction[]
  /**
   * Reference sent to the window for a call of one of its tools: its own data, without the
   * descriptions of the tools.
   */
  readonly reference: Readonly<Record<string, unknown>>
}

const MOST_SERVERS = 20
const MOST_FUNCTIONS = 256
const LONGEST_URL = 2048
const LONGEST_NAME = 256
const LONGEST_DESCRIPTION = 16_000
const NO_ARGUMENTS = Object.freeze({ type: 'object', properties: {} })

const textOf = (value: unknown, longest: number): string =>
  typeof value === 'string' ? cleanToolText(value).trim().slice(0, longest) : ''

/** `annotations.readOnlyHint`, the name in MCP. */
const isReadOnly = ({ annotations }: Record<string, unknown>): boolean =>
  isRecord(annotations) && annotations['readOnlyHint'] === true

function readFunction(value: unknown): ServerFunction[] {
  if (!isRecord(value)) return []
  const { name, description, parameters } = value
  if (typeof name !== 'string' || name === '' || name.length > LONGEST_NAME) return []
  const schema = isRecord(parameters) ? parameters : NO_ARGUMENTS
  return [
    {
      name,
      description: textOf(description, LONGEST_DESCRIPTION),
      parameters: schema,
      isReadOnly: isReadOnly(value),
    },
  ]
}

function readServer(value: Record<string, unknown>): OwnServer[] {
  const { url, specs, info } = value
  const address = typeof url === 'string' && url.length <= LONGEST_URL ? URL.parse(url) : null
  if (!address || !/^https?:$/.test(address.protocol) || !Array.isArray(specs)) return []
  const { title, name, id } = isRecord(info) ? info : {}
  return [
    {
      url: url as string,
      name: textOf(name, LONGEST_NAME) || textOf(title, LONGEST_NAME) || address.host,
      functions: specs.slice(0, MOST_FUNCTIONS).flatMap(readFunction),
      reference: { url, ...(typeof id === 'string' && { id: id.slice(0, LONGEST_NAME) }) },
    },
  ]
}

/** Reads `tool_servers` of a request; ignores invalid ones, and those beyond the twentieth. */
export const readOwnServers = (
  sent: readonly Record<string, unknown>[] | null | undefined,
): OwnServer[] => (sent ?? []).slice(0, MOST_SERVERS).flatMap(readServer)
