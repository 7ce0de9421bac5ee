import type { CallOrigin } from '../../lib/call-origin.ts'
import type { Caller } from '../../lib/http.ts'
import type { Users } from '../../users/index.ts'
import { filesOf, stateOf } from './request-state.ts'
import type { Fields } from '../../lib/is-record.ts'

export interface GivenOptions {
  readonly users: Pick<Users, 'get' | 'settings'>
  readonly baseUrl: string
  readonly caller: Caller
  readonly origin: CallOrigin | null
  /** The model as shown in lists; null outside of a request. */
  readonly model?: unknown
  readonly messages?: readonly unknown[]
  readonly body?: unknown
  /** Token of the provider the user signed in with; null for other users. */
  readonly oauthToken?: unknown
  /** Headers of the request that plugins may see. */
  readonly headers?: Readonly<Record<string, string>>
}

/** Returns the user the plugin runs for, without secrets (docs/plugin-contract.md). */
async function describeUser(users: GivenOptions['users'], caller: Caller): Promise<Fields> {
  const user = await users.get(caller.userId)
  const settings = await users.settings(caller.userId)
  return {
    id: caller.userId,
    name: caller.name,
    email: caller.email,
    role: caller.role,
    profile_image_url: user?.profile_image_url ?? '/user.png',
    last_active_at: user?.last_active_at ?? 0,
    created_at: user?.created_at ?? 0,
    updated_at: user?.updated_at ?? 0,
    settings: { ui: settings?.['ui'] ?? {} },
    info: null,
    oauth: null,
  }
}

/**
 * Returns everything a hook may name as `__x__`; the host passes the named ones (PROTOCOL.md,
 * Calls).
 */
export async function createGiven({
  users,
  baseUrl,
  caller,
  origin,
  model = null,
  messages,
  body,
  oauthToken = null,
  headers = {},
}: GivenOptions): Promise<Fields> {
  const path = '/api/chat/completions'
  const request = {
    method: 'POST',
    url: `${baseUrl}${path}`,
    base_url: `${baseUrl}/`,
    path,
    headers,
    cookies: {},
    state: {},
  }
  return {
    user: await describeUser(users, caller),
    request,
    oauth_token: oauthToken,
    model,
    // Little is known outside of a request, but plugins read it nevertheless.
    metadata: {
      user_id: caller.userId,
      chat_id: '',
      message_id: '',
      session_id: '',
      files: [],
      features: {},
      variables: {},
    },
    ...(origin && {
      metadata: stateOf(origin).metadata,
      chat_id: origin.chatId,
      message_id: origin.messageId,
      session_id: origin.sessionId,
      task: origin.task,
      task_body: origin.task === null ? null : origin.sent,
      files: filesOf(origin.sent),
      features: origin.sent.features ?? {},
    }),
    ...(messages && { messages }),
    ...(body !== undefined && { body }),
  }
}
