import type { StoredOAuthClientInformation } from '@modelcontextprotocol/client'
import type { Secrets } from '../../storage/secrets/secrets.ts'

/** Registration of the gateway at a server's sign-in. */
export interface ClientInfo {
  readonly client: StoredOAuthClientInformation
  /** Registered redirect URL. */
  readonly redirectUrl: string
  /** True if an administrator entered it, so that it is never registered again. */
  readonly isStatic: boolean
  readonly scope: string | null
  /** The authorisation server, if the administrator specified it. */
  readonly serverUrl: string | null
  /**
   * Resource of requested tokens (RFC 8707): `auto` as specified by the server, `include` its URL,
   * `omit` none, else the URL by which it wants to be identified.
   */
  readonly resource: string
}

const place = (serverId: string): string => `tool_server|${serverId}|client`

export const sealClient = (secrets: Secrets, serverId: string, info: ClientInfo): string =>
  secrets.encrypt(place(serverId), JSON.stringify(info))

/** Returns null if there is none, or it belongs to another server or another root secret. */
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
