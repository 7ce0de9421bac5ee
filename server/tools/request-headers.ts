import { toForwardedHeaders, toHeaderText } from '../lib/forwarded-headers.ts'
import type { Groups } from '../groups/index.ts'
import type { Settings } from '../settings/index.ts'
import type { CallPlace } from './call-place.ts'
import type { ServerRecord } from './server-record.ts'
import type { SessionTokens } from './session-tokens.ts'

export interface HeaderDependencies {
  readonly settings: Pick<Settings, 'boolean' | 'string'>
  readonly groups: Pick<Groups, 'idsOf' | 'list'>
  readonly sessionTokens: SessionTokens
}

/** The headers of a request to a tool server on behalf of somebody, sign-ins of its own aside. */
export type MakeHeaders = (record: ServerRecord, place: CallPlace) => Promise<Record<string, string>>

const PLACEHOLDER = /\{\{([A-Z_]+)\}\}/g
const USER_AGENT = 'ChatGateway'

/** What stands for the placeholders an administrator may write into headers; nothing of the gateway's own is among them. */
function valuesOf(
  { caller, chatId, messageId, userMessageId, task }: CallPlace,
  groups: HeaderDependencies['groups'],
): Map<string, () => string> {
  const own = () => groups.idsOf(caller.userId)
  const names = () => {
    const ids = own()
    return groups.list().flatMap(({ id, name }) => (ids.has(id) ? [name] : []))
  }
  return new Map([
    ['USER_ID', () => caller.userId],
    ['USER_NAME', () => caller.name],
    ['USER_EMAIL', () => caller.email],
    ['USER_ROLE', () => caller.role],
    ['USER_GROUPS', () => names().join(',')],
    ['USER_GROUP_IDS', () => [...own()].join(',')],
    ['CHAT_ID', () => chatId ?? ''],
    ['MESSAGE_ID', () => messageId ?? ''],
    ['USER_MESSAGE_ID', () => userMessageId ?? ''],
    ['TASK', () => task ?? ''],
    ['USER_AGENT', () => USER_AGENT],
  ])
}

export function createMakeHeaders({ settings, groups, sessionTokens }: HeaderDependencies): MakeHeaders {
  return async (record, place) => {
    const values = valuesOf(place, groups)
    // One pass: what a person calls themselves is never looked through for placeholders.
    const expand = (text: string): string =>
      text.replaceAll(PLACEHOLDER, (whole, name: string) => toHeaderText(values.get(name)?.() ?? whole))
    const { key, headers: own } = record.secrets
    const headers: Record<string, string> = { ...toForwardedHeaders(settings, place) }
    for (const [name, text] of Object.entries(own)) headers[name] = expand(text)
    if (record.authType === 'bearer' && key !== '') headers['authorization'] = `Bearer ${key}`
    if (record.authType === 'session') headers['authorization'] = `Bearer ${await sessionTokens.issue(place.caller.userId, record.url)}`
    return headers
  }
}
