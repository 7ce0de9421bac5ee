import type { Caller } from '../http.ts'

/** User and answer for which another server is called. */
export interface ForwardedPlace {
  readonly caller: Pick<Caller, 'userId' | 'name' | 'email' | 'role'>
  readonly chatId: string | null
  readonly messageId: string | null
}

/** Settings with the names of the headers. */
type HeaderKey =
  | `FORWARD_USER_INFO_HEADER_USER_${'NAME' | 'ID' | 'EMAIL' | 'ROLE'}`
  | `FORWARD_SESSION_INFO_HEADER_${'CHAT' | 'MESSAGE'}_ID`

interface ForwardSettings {
  get(key: 'ENABLE_FORWARD_USER_INFO_HEADERS'): boolean
  get(key: HeaderKey): string
}

/** Returns a text in a form a header can carry: anything except plain ASCII is percent-encoded. */
export const toHeaderText = (text: string): string =>
  text.replaceAll(/[^\x20-\x7e]+/gu, (part) => encodeURIComponent(part.toWellFormed())).trim()

/**
 * Returns headers that identify the user and chat, for servers an administrator connected; empty
 * unless that is switched on. Never a key, token or cookie.
 */
export function toForwardedHeaders(
  settings: ForwardSettings,
  { caller, chatId, messageId }: ForwardedPlace,
): Record<string, string> {
  if (!settings.get('ENABLE_FORWARD_USER_INFO_HEADERS')) return {}
  const headers: Record<string, string> = {}
  const add = (key: HeaderKey, value: string | null): void => {
    if (value) headers[settings.get(key).toLowerCase()] = toHeaderText(value)
  }
  add('FORWARD_USER_INFO_HEADER_USER_NAME', encodeURIComponent(caller.name.toWellFormed()))
  add('FORWARD_USER_INFO_HEADER_USER_ID', caller.userId)
  add('FORWARD_USER_INFO_HEADER_USER_EMAIL', caller.email)
  add('FORWARD_USER_INFO_HEADER_USER_ROLE', caller.role)
  add('FORWARD_SESSION_INFO_HEADER_CHAT_ID', chatId)
  add('FORWARD_SESSION_INFO_HEADER_MESSAGE_ID', messageId)
  return headers
}
