import { permissionsInputSchema } from '#contract/permissions.ts'
import { bannersSchema, suggestionsInputSchema } from '#contract/configs.ts'
import type { SettingDefinition } from './setting-definition.ts'
import { WEB_ADDRESS } from './web-address.ts'

const OPTIONAL_EMAIL = { expression: /^([^\s@]{1,64}@[^\s@]{1,190})?$/, words: 'an e-mail address' }

/** Accounts: whom they belong to and what they may do. */
export const accounts = [
  {
    key: 'ADMIN_EMAIL',
    type: 'string',
    default: '',
    pattern: OPTIONAL_EMAIL,
    help: 'Whom people ask; empty names the first administrator.',
  },
  { key: 'DEFAULT_GROUP_ID', type: 'string', default: '', help: 'Group new accounts join, by id.' },
  {
    key: 'USER_PERMISSIONS',
    type: 'json',
    default: '{}',
    json: {
      schema: permissionsInputSchema,
      words: 'permissions such as {"chat":{"delete":false}}',
    },
    help: 'What people may do before a group adds to it; what is left out is as built in.',
  },
  {
    key: 'PENDING_USER_OVERLAY_TITLE',
    type: 'string',
    default: '',
    help: 'Heading for people who wait for approval; empty shows the built-in one.',
  },
  {
    key: 'PENDING_USER_OVERLAY_CONTENT',
    type: 'string',
    default: '',
    help: 'Text for people who wait for approval; empty shows the built-in one.',
  },
  {
    key: 'ENABLE_PROFILE_IMAGE_URL_FORWARDING',
    type: 'boolean',
    default: true,
    help: 'Pictures of accounts may lie on other sites, which then see who looks at them.',
  },
  {
    key: 'ENABLE_API_KEY_LIMITS',
    group: 'keys',
    type: 'boolean',
    default: false,
    help: 'API keys can be given an end, a scope and a daily cap. Limits of existing keys hold even after this is switched off.',
  },
] as const satisfies readonly SettingDefinition[]

/** Parts of the product that can be switched off for everybody. */
export const features = [
  { key: 'ENABLE_FOLDERS', type: 'boolean', default: true, help: 'Chats can be put into folders.' },
  {
    key: 'FOLDER_MAX_FILE_COUNT',
    type: 'integer',
    default: 0,
    maximum: 100_000,
    help: 'Files a folder may have; 0 for any number.',
  },
  { key: 'ENABLE_NOTES', type: 'boolean', default: true, help: 'People can write notes.' },
  {
    key: 'ENABLE_MEMORIES',
    type: 'boolean',
    default: true,
    help: 'Models can be told lasting facts about a person.',
  },
  {
    key: 'ENABLE_CHANNELS',
    type: 'boolean',
    default: false,
    help: 'People can talk to each other in channels.',
  },
  {
    key: 'ENABLE_USER_STATUS',
    type: 'boolean',
    default: true,
    help: 'People can show others a status.',
  },
  {
    key: 'ENABLE_USER_WEBHOOKS',
    type: 'boolean',
    default: false,
    help: 'People can have themselves notified by a webhook of their own.',
  },
  { key: 'ENABLE_MESSAGE_RATING', type: 'boolean', default: true, help: 'Answers can be rated.' },
  {
    key: 'ENABLE_COMMUNITY_SHARING',
    type: 'boolean',
    default: false,
    help: 'Shows what leads to sharing outside this gateway.',
  },
  {
    key: 'ENABLE_ADMIN_EXPORT',
    type: 'boolean',
    default: true,
    help: 'Administrators may export the data of everybody.',
  },
  {
    key: 'ENABLE_ADMIN_CHAT_ACCESS',
    type: 'boolean',
    default: true,
    help: 'Administrators may read the chats of others.',
  },
  {
    key: 'ENABLE_PUBLIC_ACTIVE_USERS_COUNT',
    type: 'boolean',
    default: true,
    help: 'Everybody may see how many people are using the gateway.',
  },
  {
    key: 'ENABLE_DIRECT_CONNECTIONS',
    type: 'boolean',
    default: false,
    help: 'People may connect model providers of their own.',
  },
  {
    key: 'ENABLE_BASE_MODELS_CACHE',
    type: 'boolean',
    default: false,
    help: 'Lists of models are kept until an administrator refreshes them.',
  },
] as const satisfies readonly SettingDefinition[]

/** What everybody gets to see, and whom the gateway tells. */
export const announcements = [
  {
    key: 'WEBUI_BANNERS',
    type: 'json',
    default: '[]',
    json: {
      schema: bannersSchema,
      words: 'a JSON list of banners with id, type, content, dismissible and timestamp',
    },
    help: 'Banners shown above every page.',
  },
  {
    key: 'DEFAULT_PROMPT_SUGGESTIONS',
    type: 'json',
    default: '[]',
    json: {
      schema: suggestionsInputSchema,
      words: 'a JSON list of suggestions with title and content',
    },
    help: 'Prompts offered in a new chat.',
  },
  {
    key: 'DEFAULT_PINNED_MODELS',
    type: 'list',
    default: [],
    help: 'Models pinned for everybody, by id.',
  },
  {
    key: 'RESPONSE_WATERMARK',
    type: 'string',
    default: '',
    help: 'Text added to an answer that is copied.',
  },
  {
    key: 'WEBHOOK_URL',
    type: 'string',
    default: '',
    pattern: WEB_ADDRESS,
    help: 'Where the gateway reports events such as a new account.',
  },
  {
    key: 'WEBHOOK_SECRET',
    type: 'string',
    default: '',
    secret: true,
    help: 'Signs what is sent to WEBHOOK_URL, so that the receiver knows it is from here; empty signs nothing.',
  },
] as const satisfies readonly SettingDefinition[]
