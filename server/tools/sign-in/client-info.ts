import type { StoredOAuthClientInformation } from '@modelcontextprotocol/client'
import type { Secrets } from '../../storage/secrets.ts'

/** The gateway as the sign-in of a server knows it. */
export interface ClientInfo {
  readonly client: StoredOAuthClientInformation
  /** Where people are sent back to, as it was registered. */
  readonly redirectUrl: string
  /** True when an administrator typed it, so that it is never registered anew. */
  readonly isStatic: boolean
  readonly scope: string | null
  /** The server that signs in, where the administrator named it. */
  readonly serverUrl: string | null
  /**
   * Whom tokens are asked for (RFC 8707): `auto` as the server says it, `include` its address,
   * `omit` nobody, else the address it wants to be called by.
   */
  readonly resource: string
}

const place = (serverId: string): string => `tool_server|${serverId}|client`

export const sealClient = (secrets: Secrets, serverId: string, info: ClientInfo): string =>
  secrets.encrypt(place(serverId), JSON.stringify(info))

/** Null when there is none, or it belongs to another server or another root secret. */
export function openClient(
  secrets: Secrets,
  serverId: string,
  sealed: string | null,
): ClientInfo | null {
  const text = sealed === null ? null : secrets.decrypt(place(serverId), sealed)
  return text === null
    ? null
    : { resource: 'auto', ...(JSON.parse(text) as Omit<ClientInfo, 'resource'>) }
}
