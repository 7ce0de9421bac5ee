import { permissionsInputSchema } from '#contract/permissions.ts'
import { bannersSchema, suggestionsInputSchema } from '#contract/configs.ts'
import type { SettingDefinition } from './setting-definition.ts'
import { WEB_ADDRESS } from './web-address.ts'

const OPTIONAL_EMAIL = { expression: /^([^\s@]{1,64}@[^\s@]{1,190})?$/, words: 'an e-mail address' }

/** Settings of accounts and their permissions. */
export const accounts = [
  {
    key: 'ADMIN_EMAIL',
    type: 'string',
    default: '',
    pattern: OPTIONAL_EMAIL,
    help: 'Email address people can contact; empty shows the first administrator’s.',
  },
  {
    key: 'DEFAULT_GROUP_ID',
    type: 'string',
    default: '',
    help: 'Group that new accounts join, by ID.',
  },
  {
    key: 'USER_PERMISSIONS',
    type: 'json',
    default: '{}',
    json: {
      schema: permissionsInputSchema,
      words: 'permissions such as {"chat":{"delete":false}}',
    },
    help: 'What people can do before groups add to it; anything left out keeps its default.',
  },
  {
    key: 'PENDING_USER_OVERLAY_TITLE',
    type: 'string',
    default: '',
    help: 'Heading for people who are waiting for approval; empty shows the built-in one.',
  },
  {
    key: 'PENDING_USER_OVERLAY_CONTENT',
    type: 'string',
    default: '',
    help: 'Text for people who are waiting for approval; empty shows the built-in one.',
  },
  {
    key: 'ENABLE_PROFILE_IMAGE_URL_FORWARDING',
    type: 'boolean',
    default: true,
    help: 'Allows profile pictures on other sites, which can then see who views them.',
  },
  {
    key: 'ENABLE_API_KEY_LIMITS',
    group: 'keys',
    type: 'boolean',
    default: false,
    help: 'Lets people give API keys an expiry date, a scope and a daily limit. Limits of existing keys apply even after this is turned off.',
  },
] as const satisfies readonly SettingDefinition[]

/** Parts of the product that can be disabled for all users. */
export const features = [
  {
    key: 'ENABLE_FOLDERS',
    type: 'boolean',
    default: true,
    help: 'Lets people organise chats in folders.',
  },
  {
    key: 'FOLDER_MAX_FILE_COUNT',
    type: 'integer',
    default: 0,
    maximum: 100_000,
    help: 'How many files a folder may have; 0 for no limit.',
  },
  { key: 'ENABLE_NOTES', type: 'boolean', default: true, help: 'Lets people write notes.' },
  {
    key: 'ENABLE_MEMORIES',
    type: 'boolean',
    default: true,
    help: 'Lets models use facts that people have saved about themselves.',
  },
  {
    key: 'ENABLE_CHANNELS',
    type: 'boolean',
    default: false,
    help: 'Lets people talk to each other in channels.',
  },
  {
    key: 'ENABLE_USER_STATUS',
    type: 'boolean',
    default: true,
    help: 'Lets people show a status to others.',
  },
  {
    key: 'ENABLE_USER_WEBHOOKS',
    type: 'boolean',
    default: false,
    help: 'Lets people set up a webhook that notifies them.',
  },
  {
    key: 'ENABLE_MESSAGE_RATING',
    type: 'boolean',
    default: true,
    help: 'Lets people rate answers.',
  },
  {
    key: 'ENABLE_COMMUNITY_SHARING',
    type: 'boolean',
    default: false,
    help: 'Shows options for sharing outside this gateway.',
  },
  {
    key: 'ENABLE_ADMIN_EXPORT',
    type: 'boolean',
    default: true,
    help: 'Lets administrators export everyone’s data.',
  },
  {
    key: 'ENABLE_ADMIN_CHAT_ACCESS',
    type: 'boolean',
    default: true,
    help: 'Lets administrators read other people’s chats.',
  },
  {
    key: 'ENABLE_ADMIN_ANALYTICS',
    type: 'boolean',
    default: true,
    help: 'Lets administrators see how much is asked, of which models and by whom, without what is said.',
  },
  {
    key: 'ENABLE_PUBLIC_ACTIVE_USERS_COUNT',
    type: 'boolean',
    default: true,
    help: 'Shows everyone how many people are using the gateway.',
  },
  {
    key: 'ENABLE_DIRECT_CONNECTIONS',
    type: 'boolean',
    default: false,
    help: 'Lets people connect their own providers.',
  },
  {
    key: 'ENABLE_BASE_MODELS_CACHE',
    type: 'boolean',
    default: false,
    help: 'Keeps the lists of models until an administrator refreshes them.',
  },
] as const satisfies readonly SettingDefinition[]

/** Settings of announcements to all users, and of notifications sent by the gateway. */
export const announcements = [
  {
    key: 'WEBUI_BANNERS',
    type: 'json',
    default: '[]',
    json: {
      schema: bannersSchema,
      words: 'a JSON list of banners with id, type, content, dismissible and timestamp',
    },
    help: 'Notices shown above every page.',
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
    help: 'Models pinned for everyone, by ID.',
  },
  {
    key: 'RESPONSE_WATERMARK',
    type: 'string',
    default: '',
    help: 'Text added to copied answers.',
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
    help: 'Signs what is sent to WEBHOOK_URL, so that the receiver can verify the sender; empty turns signing off.',
  },
] as const satisfies readonly SettingDefinition[]
