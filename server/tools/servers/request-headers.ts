import type { ProviderTokens } from '../../auth/index.ts'
import { forbidden } from '../../lib/errors.ts'
import { toForwardedHeaders, toHeaderText } from '../../lib/outgoing/forwarded-headers.ts'
import type { Groups } from '../../groups/index.ts'
import type { ToolsSettings } from '../tools-settings.ts'
import type { CallPlace } from '../calls/call-place.ts'
import type { ServerRecord } from './server-record.ts'
import type { SessionTokens } from './session-tokens.ts'

export interface HeaderDependencies {
  readonly settings: ToolsSettings
  readonly groups: Groups
  readonly sessionTokens: SessionTokens
  /** Returns tokens of the provider a caller signed in with; null if there are none. */
  readonly providerTokens: (
    caller: CallPlace['caller'],
  ) => Promise<Pick<ProviderTokens, 'access_token'> | null>
}

/**
 * Returns the headers of a request to a tool server on behalf of a user, without those of the
 * server's own sign-in.
 */
export type MakeHeaders = (
  record: ServerRecord,
  place: CallPlace,
) => Promise<Record<string, string>>

const PLACEHOLDER = /\{\{([A-Z_]+)\}\}/g
const USER_AGENT = 'ChatGateway'

/**
 * Returns the values of the placeholders an administrator may use in headers; none is a secret of
 * the gateway.
 */
function valuesOf(
  { caller, chatId, messageId, userMessageId, task }: CallPlace,
  groups: HeaderDependencies['groups'],
): Map<string, () => Promise<string>> {
  const own = () => groups.idsOf(caller.userId)
  const names = async () => {
    const ids = await own()
    return (await groups.list()).flatMap(({ id, name }) => (ids.has(id) ? [name] : []))
  }
  return new Map([
    ['USER_ID', async () => caller.userId],
    ['USER_NAME', async () => caller.name],
    ['USER_EMAIL', async () => caller.email],
    ['USER_ROLE', async () => caller.role],
    ['USER_GROUPS', async () => (await names()).join(',')],
    ['USER_GROUP_IDS', async () => [...(await own())].join(',')],
    ['CHAT_ID', async () => chatId ?? ''],
    ['MESSAGE_ID', async () => messageId ?? ''],
    ['USER_MESSAGE_ID', async () => userMessageId ?? ''],
    ['TASK', async () => task ?? ''],
    ['USER_AGENT', async () => USER_AGENT],
  ])
}

/**
 * Returns the token of the user's own sign-in; throws 403 if there is none, because the server
 * would otherwise refuse the call with its own message.
 */
async function readProviderToken(
  { providerTokens }: HeaderDependencies,
  record: ServerRecord,
  caller: CallPlace['caller'],
): Promise<string> {
  const tokens = await providerTokens(caller)
  if (!tokens)
    throw forbidden(
      `${record.name || record.id} needs your sign-in with another provider. Sign out, and sign in with the provider.`,
      {
        code: 'provider_sign_in_needed',
      },
    )
  return tokens.access_token
}

export function createMakeHeaders(dependencies: HeaderDependencies): MakeHeaders {
  const { settings, groups, sessionTokens } = dependencies
  return async (record, place) => {
    const values = valuesOf(place, groups)
    // One pass: values chosen by the user are never searched for placeholders.
    const expand = async (text: string): Promise<string> => {
      const found = new Map<string, string>()
      for (const [, name = ''] of text.matchAll(PLACEHOLDER)) {
        const value = await values.get(name)?.()
        if (value !== undefined) found.set(name, value)
      }
      return text.replaceAll(PLACEHOLDER, (whole, name: string) =>
        toHeaderText(found.get(name) ?? whole),
      )
    }
    const { key, headers: own } = record.secrets
    const headers: Record<string, string> = { ...toForwardedHeaders(settings, place) }
    // Servers receive names in lower case, so that no header is sent twice in two spellings.
    for (const [name, text] of Object.entries(own)) headers[name.toLowerCase()] = await expand(text)
    if (record.authType === 'bearer' && key !== '') headers['authorization'] = `Bearer ${key}`
    if (record.authType === 'session')
      headers['authorization'] =
        `Bearer ${await sessionTokens.issue(place.caller.userId, record.url)}`
    if (record.authType === 'system_oauth')
      headers['authorization'] =
        `Bearer ${await readProviderToken(dependencies, record, place.caller)}`
    return headers
  }
}
