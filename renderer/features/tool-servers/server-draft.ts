import type { ToolServer, ToolServerInput } from '#contract/tool-servers.ts'

/** How a server is reached, as people tell kinds apart. */
export type ServerKind = 'openapi' | 'mcp' | 'program'

/**
 * Terms of a sign-in with OAuth 2.1 as they are typed; empty leaves what is stored, or what the
 * server says.
 */
export interface SignInDraft {
  readonly clientId: string
  readonly clientSecret: string
  readonly serverUrl: string
  readonly scope: string
  readonly resource: string
}

const NO_SIGN_IN: SignInDraft = Object.freeze({
  clientId: '',
  clientSecret: '',
  serverUrl: '',
  scope: '',
  resource: '',
})

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
  readonly signIn: SignInDraft
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
  signIn: NO_SIGN_IN,
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
  signIn: NO_SIGN_IN,
  headers: toLines(server.headers, ': '),
  command: server.command,
  arguments: server.args.join('\n'),
  environment: toLines(server.env, '='),
  functions: server.config.function_name_filter_list,
  approval: server.config.approval ?? '',
  isEnabled: server.config.enable,
  rest: server,
})

export const signsIn = ({ kind, authType }: Pick<ServerDraft, 'kind' | 'authType'>): boolean =>
  kind === 'mcp' && authType.startsWith('oauth_2.1')

/**
 * Its id, made of its name where none was given: the sign-in of a server knows it by that before it
 * is stored.
 */
export function idOf({ id, name }: Pick<ServerDraft, 'id' | 'name'>): string {
  const made = name
    .trim()
    .toLowerCase()
    .replaceAll(/[^a-z0-9_.-]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 64)
  return id.trim() || made || 'server'
}

/**
 * What the gateway is to be registered with at the sign-in of a server; null when nothing was
 * typed.
 */
export function toRegistration(draft: ServerDraft) {
  const { clientId, clientSecret, serverUrl, scope, resource } = draft.signIn
  if (
    !signsIn(draft) ||
    [clientId, clientSecret, serverUrl, scope, resource].every((text) => text.trim() === '')
  )
    return null
  const isStatic = draft.authType === 'oauth_2.1_static'
  return {
    url: draft.url.trim(),
    client_id: idOf(draft),
    oauth_client_id: isStatic ? clientId.trim() || null : null,
    client_secret: isStatic ? clientSecret.trim() || null : null,
    oauth_server_url: serverUrl.trim() || null,
    oauth_scope: scope.trim() || null,
    oauth_resource: resource.trim() || null,
  }
}

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
      id: signsIn(draft) ? idOf(draft) : draft.id.trim(),
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
