import {
  SECRET_MASK,
  type ToolApprovalMode,
  type ToolServer,
  type ToolServerInput,
} from '#contract/tool-servers.ts'
import { badRequest } from '../../lib/errors.ts'
import { maskHeaders, unmaskHeaders } from '../../lib/outgoing/secret-headers.ts'
import { ownValue } from '../../lib/json/own-value.ts'

/**
 * A tool server with its secrets, inside the gateway. Access to it is managed by the access domain.
 */
export interface ServerRecord {
  readonly id: string
  readonly type: 'openapi' | 'mcp'
  readonly name: string
  readonly description: string
  readonly url: string
  readonly path: string
  readonly authType: ToolServerInput['auth_type']
  readonly isEnabled: boolean
  readonly filter: string
  readonly approval: ToolApprovalMode | null
  readonly specType: 'url' | 'json'
  readonly spec: string
  readonly command: string
  readonly arguments: readonly string[]
  /** Source of the server: an administrator or TOOL_SERVER_CONNECTIONS of the environment. */
  readonly origin: 'stored' | 'environment'
  readonly secrets: ServerSecrets
}

/** Fields stored encrypted. */
export interface ServerSecrets {
  readonly key: string
  readonly headers: Readonly<Record<string, string>>
  readonly environment: Readonly<Record<string, string>>
  /** As returned by `oauth/clients/register`; null if there is no registration yet. */
  readonly client: string | null
}

/** Headers that belong to the transport, or would pass a browser's identity to the server. */
const OWN_HEADERS =
  /^(accept-encoding|connection|content-length|content-type|cookie2?|expect|host|keep-alive|te|trailer|transfer-encoding|upgrade|mcp-.*)$/
const KEY_PATTERN = /^[\x21-\x7e]*$/

/** Returns the id of a server for models and requests. */
export const toolIdOf = ({ type, id }: Pick<ServerRecord, 'type' | 'id'>): string =>
  type === 'mcp' ? `server:mcp:${id}` : `server:${id}`

export const isProgram = ({ type, command }: Pick<ServerRecord, 'type' | 'command'>): boolean =>
  type === 'mcp' && command !== ''

export const signsInPeople = ({ authType }: Pick<ServerRecord, 'authType'>): boolean =>
  authType.startsWith('oauth_2.1')

/**
 * Parses a URL entered by an administrator, without a trailing slash; throws 400 if it is invalid
 * or contains a password.
 */
export function parseServerAddress(text: string): string {
  const url = URL.parse(text)
  if (!url || !/^https?:$/.test(url.protocol) || url.hostname === '') {
    throw badRequest(
      `${JSON.stringify(text)} is not the address of a tool server. It must start with http:// or https://.`,
    )
  }
  if (url.username !== '' || url.password !== '')
    throw badRequest('Put the key into its own field, not into the address.')
  if (url.hash !== '') throw badRequest('The address of a tool server may not contain "#".')
  return text.replace(/\/+$/, '')
}

const merged = (
  given: Readonly<Record<string, string>>,
  stored: Readonly<Record<string, string>>,
): Record<string, string> =>
  Object.fromEntries(
    Object.entries(given).map(([name, value]) => [
      name,
      value === SECRET_MASK ? (ownValue(stored, name) ?? '') : value,
    ]),
  )

function mergeHeaders(
  given: Readonly<Record<string, string>>,
  stored: Readonly<Record<string, string>>,
): Record<string, string> {
  // Of two spellings of one name the last one counts.
  const spelled = new Map(
    Object.entries(given).map(([name, value]) => [name.toLowerCase(), [name, value.trim()]]),
  )
  const own = [...spelled.keys()].find((name) => OWN_HEADERS.test(name))
  if (own !== undefined) throw badRequest(`The header "${own}" is set by the gateway itself.`)
  return unmaskHeaders(Object.fromEntries(spelled.values()), stored)
}

function checkKind(input: ToolServerInput): void {
  if (input.type === 'openapi' && input.command !== '')
    throw badRequest('Only MCP servers can be programs. Set the type to "mcp".')
  if (input.type === 'openapi' && input.auth_type.startsWith('oauth_2.1'))
    throw badRequest('Only MCP servers can have a sign-in of their own.')
  if (input.command !== '' && signsInPeople({ authType: input.auth_type }))
    throw badRequest(
      'A program has no sign-in. Choose no sign-in, or enter the address of a server instead.',
    )
  if (input.command !== '' && input.url !== '')
    throw badRequest('A tool server is either a program or an address, not both.')
}

/**
 * Creates a record from an administrator's input; masked secrets come from `stored`. Throws 400
 * with a sentence for invalid input.
 */
export function toServerRecord(
  input: ToolServerInput,
  id: string,
  stored: ServerRecord | null,
): ServerRecord {
  checkKind(input)
  const key = input.key.trim() === SECRET_MASK ? (stored?.secrets.key ?? '') : input.key.trim()
  if (!KEY_PATTERN.test(key))
    throw badRequest('The key contains characters that no key has. Copy it again.')
  const isInline = input.type === 'openapi' && input.spec_type === 'json'
  if (isInline && input.spec.trim() === '')
    throw badRequest('The description of the tool server is empty. Paste it, or have it fetched.')
  return {
    id,
    type: input.type,
    name: input.info.name,
    description: input.info.description,
    url: input.command === '' ? parseServerAddress(input.url) : '',
    path: input.path,
    authType: input.auth_type,
    isEnabled: input.config.enable,
    filter: input.config.function_name_filter_list,
    approval: input.config.approval ?? null,
    specType: input.spec_type,
    spec: isInline ? input.spec : '',
    command: input.command,
    arguments: input.args,
    origin: 'stored',
    secrets: {
      key,
      headers: mergeHeaders(input.headers ?? {}, stored?.secrets.headers ?? {}),
      environment: merged(input.env, stored?.secrets.environment ?? {}),
      client: input.info.oauth_client_info ?? stored?.secrets.client ?? null,
    },
  }
}

/**
 * Returns true if two records refer to the same server, so that approvals and sign-ins are still
 * valid.
 */
export function isSamePlace(one: ServerRecord, other: ServerRecord): boolean {
  const place = ({ type, url, command, arguments: given, authType }: ServerRecord) =>
    JSON.stringify([type, url, command, given, authType])
  return place(one) === place(other)
}

const masked = (values: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, value === '' ? '' : SECRET_MASK]),
  )

/** Returns the parts of a record shown to administrators. */
export function describeServer(
  record: ServerRecord,
  access: Pick<ToolServer['config'], 'access_grants' | 'access_control'>,
): ToolServer {
  const { secrets } = record
  return {
    type: record.type,
    url: record.url,
    path: record.path,
    auth_type: record.authType,
    key: secrets.key === '' ? '' : SECRET_MASK,
    headers: maskHeaders(secrets.headers),
    config: {
      enable: record.isEnabled,
      ...access,
      function_name_filter_list: record.filter,
      approval: record.approval,
    },
    info: {
      id: record.id,
      name: record.name,
      description: record.description,
      oauth_client_info: secrets.client,
    },
    spec_type: record.specType,
    spec: record.spec,
    command: record.command,
    args: [...record.arguments],
    env: masked(secrets.environment),
    origin: record.origin,
  }
}
