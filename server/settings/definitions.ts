import type { output, ZodType } from 'zod'
import type { SettingGroup, SettingValue } from '#contract/settings.ts'
import type { SettingDefinition } from './setting-definition.ts'
import { audioSettings } from './audio-settings.ts'
import { automationSettings } from './automation-settings.ts'
import { codeSettings } from './code-settings.ts'
import { imageSettings } from './image-settings.ts'
import { intakeSettings } from './intake-settings.ts'
import { modelSettings } from './model-settings.ts'
import { documentSettings } from './document-settings.ts'
import { outgoingSettings } from './outgoing-settings.ts'
import { pluginSettings } from './plugin-settings.ts'
import { taskSettings } from './task-settings.ts'
import { toolSettings } from './tool-settings.ts'
import { accounts, announcements, features } from './people-settings.ts'
import {
  ldapSettings,
  openDoor,
  passwordRules,
  provisioning,
  trustedHeaders,
} from './sign-in-settings.ts'
import { sharingSettings } from './sharing-settings.ts'
import { singleSignOnSettings } from './single-sign-on-settings.ts'
import { WEB_ADDRESS } from './web-address.ts'
import { timeMachineSettings } from './time-machine-settings.ts'
import { webSettings } from './web-settings.ts'

const ONE_DAY_SECONDS = 86_400

const DURATION = {
  expression: /^(-1|0|(\d+(\.\d+)?(ms|[smhdw]))+)$/,
  words: 'a duration such as 30m, 12h or 4w, or -1 for no end',
}
const HEADER_NAME = {
  expression: /^[!#$%&'*+.^_`|~\w-]{1,100}$/,
  words: 'the name of an HTTP header',
}
const ORIGIN = {
  expression: /^https?:\/\/[^\s/?#*]+$/i,
  words: 'an origin such as https://chat.example.org, without path or *',
}
const PEER = {
  expression: /^(loopback|[\da-f.:]+(\/\d{1,3})?)$/i,
  words: 'an IP address, a network such as 10.0.0.0/8, or loopback',
}
const API_PATH = { expression: /^\/\S*$/, words: 'a path that starts with /' }
const LOCALE = {
  expression: /^([a-z]{2,3}(-[a-z\d]{2,8})*)?$/i,
  words: 'a language tag such as en-GB',
}

/** Who may come in. */
const signIn = [
  {
    key: 'ENABLE_SIGNUP',
    type: 'boolean',
    default: true,
    help: 'Lets people create their own account. Turns itself off after the first one.',
  },
  {
    key: 'SIGNIN_TRIES',
    type: 'integer',
    default: 15,
    minimum: 1,
    maximum: 100_000,
    help: 'Failed sign-ins of an account, and of an address, within three minutes; further ones are refused until these are over.',
  },
  {
    key: 'SIGNUP_TRIES_PER_ADDRESS',
    type: 'integer',
    default: 15,
    minimum: 1,
    maximum: 100_000,
    help: 'How often people behind one address may try to create an account within three minutes.',
  },
  {
    key: 'DEFAULT_USER_ROLE',
    type: 'string',
    default: 'pending',
    allowed: ['pending', 'user', 'admin'],
    help: 'Role of new accounts; pending accounts wait for an administrator’s approval.',
  },
  {
    key: 'ENABLE_LOGIN_FORM',
    type: 'boolean',
    default: true,
    help: 'Shows the form for email and password; /auth?form=true always shows it.',
  },
  {
    key: 'ENABLE_PASSWORD_AUTH',
    type: 'boolean',
    default: true,
    help: 'Accepts an email address and a password at sign-in.',
  },
  {
    key: 'ENABLE_INITIAL_ADMIN_SIGNUP',
    type: 'boolean',
    default: false,
    help: 'Lets the first account be created by sign-up even while sign-up is closed.',
  },
  ...passwordRules,
  {
    key: 'JWT_EXPIRES_IN',
    type: 'string',
    default: '4w',
    pattern: DURATION,
    help: 'How long a sign-in lasts.',
  },
  {
    key: 'SHOW_ADMIN_DETAILS',
    type: 'boolean',
    default: true,
    help: 'Shows people who are waiting for approval who to contact.',
  },
] as const satisfies readonly SettingDefinition[]

const apiKeys = [
  {
    key: 'ENABLE_API_KEYS',
    alias: 'ENABLE_API_KEY',
    type: 'boolean',
    default: { desktop: true, server: false },
    help: 'Lets people create and use API keys.',
  },
  {
    key: 'USER_PERMISSIONS_FEATURES_API_KEYS',
    type: 'boolean',
    default: false,
    help: 'Lets people who are not administrators have API keys too.',
  },
  {
    key: 'ENABLE_API_KEYS_ENDPOINT_RESTRICTIONS',
    type: 'boolean',
    default: false,
    help: 'Limits API keys to the endpoints listed in API_KEYS_ALLOWED_ENDPOINTS.',
  },
  {
    key: 'API_KEYS_ALLOWED_ENDPOINTS',
    type: 'list',
    default: [],
    pattern: API_PATH,
    help: 'Endpoints that restricted API keys can call, including everything below them.',
  },
  {
    key: 'CUSTOM_API_KEY_HEADER',
    type: 'string',
    default: 'x-api-key',
    pattern: HEADER_NAME,
    help: 'An additional header that may contain an API key.',
  },
] as const satisfies readonly SettingDefinition[]

const network = [
  {
    key: 'WEBUI_URL',
    type: 'string',
    default: '',
    pattern: WEB_ADDRESS,
    help: 'Public address of this gateway if it is behind a proxy.',
  },
  {
    key: 'WEBUI_AUTH_SIGNOUT_REDIRECT_URL',
    type: 'string',
    default: '',
    pattern: WEB_ADDRESS,
    help: 'Page people are sent to after signing out; empty keeps them here.',
  },
  {
    key: 'CORS_ALLOW_ORIGIN',
    type: 'list',
    default: [],
    pattern: ORIGIN,
    help: 'Other web pages that can call the API.',
  },
  {
    key: 'TRUSTED_PROXIES',
    type: 'list',
    default: ['loopback'],
    pattern: PEER,
    help: 'Proxies whose forwarding and sign-in headers are trusted.',
  },
  {
    key: 'OFFLINE_MODE',
    type: 'boolean',
    default: false,
    help: 'Calls only models, tool servers and rerankers of the gateway’s computer and its network. Sealed mode includes it.',
  },
  {
    key: 'WEBSOCKET_EVENT_CALLER_TIMEOUT',
    type: 'integer',
    default: 300,
    minimum: 1,
    maximum: ONE_DAY_SECONDS,
    help: 'How many seconds a tool waits for a person to answer its question.',
  },
] as const satisfies readonly SettingDefinition[]

const appearance = [
  {
    key: 'WEBUI_NAME',
    type: 'string',
    default: 'Chat Gateway',
    pattern: { expression: /\S/, words: 'a name' },
    help: 'Name shown in the window and in emails.',
  },
  {
    key: 'DEFAULT_LOCALE',
    type: 'string',
    default: '',
    pattern: LOCALE,
    help: 'Language of people who have not chosen one; empty follows their browser.',
  },
] as const satisfies readonly SettingDefinition[]

const models = [
  {
    key: 'DEFAULT_MODELS',
    type: 'list',
    default: [],
    help: 'Models a new chat starts with, by ID.',
  },
  {
    key: 'MODEL_ORDER_LIST',
    type: 'list',
    default: [],
    help: 'Models shown first in lists, by ID, in this order.',
  },
  {
    key: 'BYPASS_MODEL_ACCESS_CONTROL',
    type: 'boolean',
    default: { desktop: true, server: false },
    help: 'Lets everyone signed in use every model.',
  },
  ...modelSettings,
] as const satisfies readonly SettingDefinition[]

const connections = [
  {
    key: 'ENABLE_LLMHOST_API',
    alias: 'ENABLE_OLLAMA_API',
    type: 'boolean',
    default: true,
    help: 'Uses local runtimes, for chats and under /llmhost.',
  },
  {
    key: 'ENABLE_BUILT_IN_RUNTIME',
    type: 'boolean',
    default: true,
    help: 'Runs models of the folder "models" in the data folder, without another program.',
  },
  {
    key: 'MODEL_MIRRORS',
    type: 'list',
    default: ['https://huggingface.co'],
    pattern: WEB_ADDRESS,
    help: 'Hubs that models are downloaded from by the name of their repository, tried one after the other.',
  },
  {
    key: 'MODEL_FOLDERS',
    type: 'list',
    default: [],
    separator: /;/,
    help: 'Folders of other programs whose model files the built-in runtime uses where they are; separated by semicolons.',
  },
  {
    key: 'ENABLE_OPENAI_API',
    type: 'boolean',
    default: true,
    help: 'Uses remote chat-completions providers.',
  },
  {
    key: 'ENABLE_OPENAI_API_PASSTHROUGH',
    type: 'boolean',
    default: false,
    help: 'Passes some other calls below /openai to the first remote provider. Off is safer.',
  },
] as const satisfies readonly SettingDefinition[]

const timeouts = [
  {
    key: 'UPSTREAM_CONNECT_TIMEOUT',
    type: 'integer',
    default: 5,
    minimum: 1,
    maximum: 600,
    help: 'How many seconds a provider may take to accept a connection.',
  },
  {
    key: 'UPSTREAM_FIRST_BYTE_TIMEOUT',
    type: 'integer',
    default: 60,
    minimum: 1,
    maximum: 3600,
    help: 'How many seconds a remote provider may take before its answer begins; local runtimes get twice as long.',
  },
  {
    key: 'UPSTREAM_IDLE_TIMEOUT',
    type: 'integer',
    default: 120,
    minimum: 1,
    maximum: 3600,
    help: 'After how many seconds without output an answer counts as interrupted.',
  },
] as const satisfies readonly SettingDefinition[]

const requestLog = [
  {
    key: 'ENABLE_REQUEST_LOG',
    type: 'boolean',
    default: true,
    help: 'Keeps the latest API calls in memory for administrators.',
  },
  {
    key: 'ENABLE_REQUEST_LOG_BODIES',
    type: 'boolean',
    default: false,
    help: 'Also keeps the bodies of these calls, without keys, passwords and tokens. They contain what people write.',
  },
  {
    key: 'REQUEST_LOG_SIZE',
    type: 'integer',
    default: 500,
    minimum: 1,
    maximum: 10_000,
    help: 'How many calls are kept.',
  },
] as const satisfies readonly SettingDefinition[]

const operation = [
  {
    key: 'ENABLE_PERSISTENT_CONFIG',
    type: 'boolean',
    default: true,
    environmentOnly: true,
    help: 'When off, environment variables take precedence over changes in the settings.',
  },
  {
    key: 'SHUTDOWN_GRACE',
    type: 'integer',
    default: 3,
    minimum: 0,
    maximum: 300,
    help: 'How many seconds running answers may continue after the gateway was asked to stop; stopping takes two more. At most 3 in the desktop app.',
  },
] as const satisfies readonly SettingDefinition[]

const inGroup = <Lists extends readonly (readonly SettingDefinition[])[]>(
  group: SettingGroup,
  ...lists: Lists
): Lists[number][number][] => lists.flat().map((definition) => ({ group, ...definition }))

/**
 * Every setting: environment parsing, stored override, admin API, form and documentation follow
 * from its row.
 */
const rows = [
  ...inGroup('sign-in', signIn, accounts, ldapSettings, openDoor, trustedHeaders, provisioning),
  ...inGroup('single-sign-on', singleSignOnSettings),
  ...inGroup('keys', apiKeys),
  ...inGroup('network', network, outgoingSettings, sharingSettings, intakeSettings),
  ...inGroup('appearance', appearance, announcements),
  ...inGroup('features', features, automationSettings),
  ...inGroup('models', models),
  ...inGroup('tasks', taskSettings),
  ...inGroup('documents', documentSettings),
  ...inGroup('web', webSettings),
  ...inGroup('images', imageSettings),
  ...inGroup('audio', audioSettings),
  ...inGroup('plugins', pluginSettings),
  ...inGroup('code', codeSettings),
  ...inGroup('connections', connections, timeouts, toolSettings),
  ...inGroup('requests', requestLog),
  ...inGroup('operation', timeMachineSettings, operation),
] satisfies readonly SettingDefinition[]

export const settingDefinitions: readonly SettingDefinition[] = rows

type Row = (typeof rows)[number]

/** The type a row gives its value: what its schema puts out, one of its choices, or its plain type. */
type ValueOf<Definition extends SettingDefinition> = Definition extends {
  readonly json: { readonly schema: infer Schema extends ZodType }
}
  ? output<Schema>
  : Definition extends { readonly type: 'boolean' }
    ? boolean
    : Definition extends { readonly type: 'integer' | 'number' }
      ? number
      : Definition extends { readonly type: 'list' }
        ? readonly string[]
        : Definition extends { readonly allowed: readonly (infer Choice)[] }
          ? Choice
          : string

/** The value of every setting by its name. */
export type SettingValues = { readonly [Each in Row as Each['key']]: ValueOf<Each> }

/** The name of a setting, or of one whose value has some type. */
export type SettingName<Value = unknown> = {
  [Name in keyof SettingValues]: SettingValues[Name] extends Value ? Name : never
}[keyof SettingValues]

/** The default of one row for the way the gateway was started. */
export function defaultOf(
  { default: value }: SettingDefinition,
  mode: 'desktop' | 'server',
): SettingValue {
  return typeof value === 'object' && value !== null && 'desktop' in value ? value[mode] : value
}
