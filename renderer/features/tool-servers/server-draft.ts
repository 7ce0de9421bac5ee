import type { ToolServer, ToolServerInput } from '#contract/tool-servers.ts'

/** Kind of a server by its protocol, as presented to users. */
export type ServerKind = 'openapi' | 'mcp' | 'program'

/**
 * Parameters of an OAuth 2.1 sign-in as typed; empty ones keep the stored value, or the server's.
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

/** A tool server in the form's representation; lists and tables are text, one line per entry. */
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
  /** Fields without an input in the form. */
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

/** Parses lines of a name, a separator and a value; lines without the separator are left out. */
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
 * Returns its id, derived from its name if none was given: the sign-in of a server uses it before
 * the server is stored.
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
 * Returns the parameters for registering the gateway at a server's sign-in; null if nothing was
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

/** Returns the server to store; fields of the other kinds are left empty. */
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
