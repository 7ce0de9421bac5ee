import { toolServerListSchema } from '#contract/tool-servers.ts'
import { json, text, toggle } from '../rows.ts'
import type { SettingDefinition } from '../setting-definition.ts'

const HEADER_NAME = {
  expression:
    /^(?!(?:authorization|cookie|host|content-.*|connection|transfer-encoding)$)[!#$%&'*+.^_`|~\w-]{1,100}$/i,
  words: 'the name of an HTTP header that is not used otherwise',
}

const header = <Key extends string>(key: Key, name: string, value: string, what: string) =>
  text(key, value, {
    name,
    searchWords: 'forward',
    pattern: HEADER_NAME,
    help: `Header that carries ${what}, while ENABLE_FORWARD_USER_INFO_HEADERS is on.`,
  })

/** Settings of data sent to tool servers, and of confirmations before a tool runs. */
export const toolSettings = [
  json('TOOL_SERVER_CONNECTIONS', '[]', {
    name: 'Tool servers',
    searchWords: 'mcp',
    environmentOnly: true,
    secret: true,
    json: {
      schema: toolServerListSchema,
      words: 'a JSON list of tool servers with url, type, auth_type, key, config and info',
    },
    help: 'Tool servers as a JSON list, used until an administrator saves a list in the settings.',
  }),
  text('TOOL_APPROVAL', 'never', {
    name: 'When tools ask first',
    searchWords: 'mcp approval permission',
    allowed: ['never', 'changes', 'always'],
    help: 'When people are asked before a tool runs: never, when it may change something, or always. Tool servers can have their own setting.',
  }),
  toggle('ENABLE_FORWARD_USER_INFO_HEADERS', false, {
    name: 'Tell providers who is asking',
    searchWords: 'privacy headers',
    help: 'Tells tool servers and providers who is asking, in headers. Keys and sign-ins are never passed on.',
  }),
  header(
    'FORWARD_USER_INFO_HEADER_USER_NAME',
    'Header with the name',
    'X-Service-User-Name',
    'the name of the person',
  ),
  header(
    'FORWARD_USER_INFO_HEADER_USER_ID',
    'Header with the account ID',
    'X-Service-User-Id',
    'the id of the person',
  ),
  header(
    'FORWARD_USER_INFO_HEADER_USER_EMAIL',
    'Header with the email address',
    'X-Service-User-Email',
    'the e-mail address of the person',
  ),
  header(
    'FORWARD_USER_INFO_HEADER_USER_ROLE',
    'Header with the role',
    'X-Service-User-Role',
    'the role of the person',
  ),
  header(
    'FORWARD_SESSION_INFO_HEADER_CHAT_ID',
    'Header with the chat',
    'X-Service-Chat-Id',
    'the id of the chat',
  ),
  header(
    'FORWARD_SESSION_INFO_HEADER_MESSAGE_ID',
    'Header with the message',
    'X-Service-Message-Id',
    'the id of the message that is written',
  ),
] as const satisfies readonly SettingDefinition[]
