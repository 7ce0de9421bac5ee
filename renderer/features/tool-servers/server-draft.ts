import type { ToolServer, ToolServerInput } from '#contract/tool-servers.ts'

/** How a server is reached, as people tell kinds apart. */
export type ServerKind = 'openapi' | 'mcp' | 'program'

/** A tool server as its form holds it; lists and tables are text, one line each. */
export interface ServerDraft {
  readonly kind: ServerKind
  readonly id: string
  readonly name: string
  readonly description: string
  readonly url: string
  readonly path: string
  readonly authType: ToolServerInput['auth_type']
  readonly key: string
  readonly headers: string
  readonly command: string
  readonly arguments: string
  readonly environment: string
  readonly functions: string
  readonly approval: 'never' | 'changes' | 'always' | ''
  readonly isEnabled: boolean
  /** What the form has no field for. */
  readonly rest: ToolServer | null
}

export const NEW_SERVER: ServerDraft = Object.freeze({
  kind: 'openapi',
  id: '',
  name: '',
  description: '',
  url: '',
  path: 'openapi.json',
  authType: 'none',
  key: '',
  headers: '',
  command: '',
  arguments: '',
  environment: '',
  functions: '',
  approval: '',
  isEnabled: true,
  rest: null,
})

const toLines = (table: Readonly<Record<string, string>>, mark: string): string =>
  Object.entries(table)
    .map(([name, value]) => `${name}${mark}${value}`)
    .join('\n')

/** Reads lines of a name, a mark and a value; lines without the mark are left out. */
export function fromLines(text: string, mark: string): Record<string, string> {
  const pairs = text.split('\n').flatMap((line) => {
    const at = line.indexOf(mark)
    return at > 0 ? [[line.slice(0, at).trim(), line.slice(at + mark.length).trim()] as const] : []
  })
  return Object.fromEntries(pairs)
}

export const toDraft = (server: ToolServer): ServerDraft => ({
  kind: server.type === 'openapi' ? 'openapi' : server.command !== '' ? 'program' : 'mcp',
  id: server.info.id,
  name: server.info.name,
  description: server.info.description,
  url: server.url,
  path: server.path,
  authType: server.auth_type as ServerDraft['authType'],
  key: server.key,
  headers: toLines(server.headers, ': '),
  command: server.command,
  arguments: server.args.join('\n'),
  environment: toLines(server.env, '='),
  functions: server.config.function_name_filter_list,
  approval: server.config.approval ?? '',
  isEnabled: server.config.enable,
  rest: server,
})

/** What is sent; fields of the other kinds are left empty. */
export function toInput(draft: ServerDraft): ToolServerInput {
  const { kind, rest } = draft
  const isProgram = kind === 'program'
  return {
    type: kind === 'openapi' ? 'openapi' : 'mcp',
    url: isProgram ? '' : draft.url.trim(),
    path: draft.path.trim() || 'openapi.json',
    auth_type: isProgram ? 'none' : draft.authType,
    key: isProgram ? '' : draft.key,
    headers: isProgram ? {} : fromLines(draft.headers, ':'),
    config: {
      enable: draft.isEnabled,
      access_grants: rest?.config.access_grants ?? [],
      function_name_filter_list: draft.functions,
      approval: draft.approval === '' ? null : draft.approval,
    },
    info: {
      id: draft.id.trim(),
      name: draft.name.trim(),
      description: draft.description,
      oauth_client_info: rest?.info.oauth_client_info ?? null,
    },
    spec_type: rest?.spec_type === 'json' ? 'json' : 'url',
    spec: rest?.spec ?? '',
    command: isProgram ? draft.command.trim() : '',
    args: isProgram ? draft.arguments.split('\n').filter((line) => line.trim() !== '') : [],
    env: isProgram ? fromLines(draft.environment, '=') : {},
  }
}
