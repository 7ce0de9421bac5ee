import { permissionsInputSchema } from '#contract/permissions.ts'
import { bannersSchema, suggestionsInputSchema } from '#contract/configs.ts'
import { address, integer, json, list, secret, text, toggle } from '../rows.ts'
import type { SettingDefinition } from '../setting-definition.ts'

const OPTIONAL_EMAIL = { expression: /^([^\s@]{1,64}@[^\s@]{1,190})?$/, words: 'an e-mail address' }

/** Settings of accounts and their permissions. */
export const accounts = [
  text('ADMIN_EMAIL', '', {
    name: 'Administrator’s email address',
    searchWords: 'contact',
    pattern: OPTIONAL_EMAIL,
    help: 'Email address people can contact; empty shows the first administrator’s.',
  }),
  text('DEFAULT_GROUP_ID', '', {
    name: 'Group for new accounts',
    help: 'Group that new accounts join, by ID.',
  }),
  json('USER_PERMISSIONS', '{}', {
    name: 'Permissions for everyone',
    searchWords: 'rights permissions',
    json: {
      schema: permissionsInputSchema,
      words: 'permissions such as {"chat":{"delete":false}}',
    },
    help: 'What people can do before groups add to it; anything left out keeps its default.',
  }),
  text('PENDING_USER_OVERLAY_TITLE', '', {
    name: 'Title for people awaiting approval',
    help: 'Heading for people who are waiting for approval; empty shows the built-in one.',
  }),
  text('PENDING_USER_OVERLAY_CONTENT', '', {
    name: 'Text for people awaiting approval',
    help: 'Text for people who are waiting for approval; empty shows the built-in one.',
  }),
  toggle('ENABLE_PROFILE_IMAGE_URL_FORWARDING', true, {
    name: 'Profile pictures from other sites',
    searchWords: 'avatar',
    help: 'Allows profile pictures on other sites, which can then see who views them.',
  }),
  toggle('ENABLE_API_KEY_LIMITS', false, {
    name: 'Limits on API keys',
    searchWords: 'expiry scope budget quota',
    group: 'keys',
    help: 'Lets people give API keys an expiry date, a scope and a daily limit. Limits of existing keys apply even after this is turned off.',
  }),
] as const satisfies readonly SettingDefinition[]

/** Parts of the product that can be disabled for all users. */
export const features = [
  toggle('ENABLE_FOLDERS', true, {
    name: 'Folders',
    searchWords: 'projects',
    help: 'Lets people organise chats in folders.',
  }),
  integer('FOLDER_MAX_FILE_COUNT', 0, [0, 100_000], {
    name: 'Maximum files in a folder',
    searchWords: 'limit',
    help: 'How many files a folder may have; 0 for no limit.',
  }),
  toggle('ENABLE_NOTES', true, { name: 'Notes', help: 'Lets people write notes.' }),
  toggle('ENABLE_MEMORIES', true, {
    name: 'Memories',
    searchWords: 'remember',
    help: 'Lets models use facts that people have saved about themselves.',
  }),
  toggle('ENABLE_CHANNELS', false, {
    name: 'Channels',
    searchWords: 'rooms team chat',
    help: 'Lets people talk to each other in channels.',
  }),
  toggle('ENABLE_USER_STATUS', true, {
    name: 'Status messages',
    searchWords: 'presence',
    help: 'Lets people show a status to others.',
  }),
  toggle('ENABLE_USER_WEBHOOKS', false, {
    name: 'Personal webhooks',
    searchWords: 'notification',
    help: 'Lets people set up a webhook that notifies them.',
  }),
  toggle('ENABLE_MESSAGE_RATING', true, {
    name: 'Rating answers',
    searchWords: 'thumbs feedback',
    help: 'Lets people rate answers.',
  }),
  toggle('ENABLE_COMMUNITY_SHARING', false, {
    name: 'Sharing with the community',
    help: 'Shows options for sharing outside this gateway.',
  }),
  toggle('ENABLE_ADMIN_EXPORT', true, {
    name: 'Export by administrators',
    searchWords: 'backup download',
    help: 'Lets administrators export everyone’s data.',
  }),
  toggle('ENABLE_ADMIN_CHAT_ACCESS', true, {
    name: 'Administrators can read chats',
    searchWords: 'privacy',
    help: 'Lets administrators read other people’s chats.',
  }),
  toggle('ENABLE_ADMIN_ANALYTICS', true, {
    name: 'Analytics for administrators',
    searchWords: 'statistics usage figures',
    help: 'Lets administrators see how much is asked, of which models and by whom, without what is said.',
  }),
  toggle('ENABLE_PUBLIC_ACTIVE_USERS_COUNT', true, {
    name: 'Show how many people are online',
    searchWords: 'online',
    help: 'Shows everyone how many people are using the gateway.',
  }),
  toggle('ENABLE_DIRECT_CONNECTIONS', false, {
    name: 'Personal connections',
    searchWords: 'key bring',
    help: 'Lets people connect their own providers.',
  }),
  toggle('ENABLE_BASE_MODELS_CACHE', false, {
    name: 'Cache the model list',
    searchWords: 'cache',
    help: 'Keeps the lists of models until an administrator refreshes them.',
  }),
] as const satisfies readonly SettingDefinition[]

/** Settings of announcements to all users, and of notifications sent by the gateway. */
export const announcements = [
  json('WEBUI_BANNERS', '[]', {
    name: 'Notices',
    searchWords: 'announcement notice',
    json: {
      schema: bannersSchema,
      words: 'a JSON list of banners with id, type, content, dismissible and timestamp',
    },
    help: 'Notices shown above every page.',
  }),
  json('DEFAULT_PROMPT_SUGGESTIONS', '[]', {
    name: 'Suggestions on a new chat',
    searchWords: 'starter prompts',
    json: {
      schema: suggestionsInputSchema,
      words: 'a JSON list of suggestions with title and content',
    },
    help: 'Prompts offered in a new chat.',
  }),
  list('DEFAULT_PINNED_MODELS', [], {
    name: 'Models pinned for everyone',
    searchWords: 'favourite',
    help: 'Models pinned for everyone, by ID.',
  }),
  text('RESPONSE_WATERMARK', '', {
    name: 'Note added to copied answers',
    searchWords: 'watermark disclaimer',
    help: 'Text added to copied answers.',
  }),
  address('WEBHOOK_URL', '', {
    name: 'Webhook for new accounts',
    searchWords: 'notification',
    help: 'Where the gateway reports events such as a new account.',
  }),
  secret('WEBHOOK_SECRET', {
    name: 'Webhook secret',
    searchWords: 'signature',
    help: 'Signs what is sent to WEBHOOK_URL, so that the receiver can verify the sender; empty turns signing off.',
  }),
] as const satisfies readonly SettingDefinition[]
