import type { IncomingMessage } from 'node:http'
import type { GatewayConfig } from '#contract/system.ts'
import type { Context } from '../context.ts'
import type { Caller } from '../lib/http.ts'
import { hasSearchEngine } from '../retrieval/index.ts'
import type { SettingName, Settings } from '../settings/index.ts'
import type { SystemSettings } from './system-settings.ts'

/** Switches that are public before sign-in. */
const PUBLIC_SWITCHES = [
  'ENABLE_API_KEYS',
  'ENABLE_API_KEY_LIMITS',
  'ENABLE_SIGNUP',
  'ENABLE_LOGIN_FORM',
  'ENABLE_LDAP',
  'ENABLE_PUBLIC_ACTIVE_USERS_COUNT',
] as const

const SWITCHES = [
  'ENABLE_DIRECT_CONNECTIONS',
  'ENABLE_FOLDERS',
  'ENABLE_CHANNELS',
  'ENABLE_AUTOMATIONS',
  'ENABLE_CALENDAR',
  'ENABLE_NOTES',
  'ENABLE_MEMORIES',
  'ENABLE_COMMUNITY_SHARING',
  'ENABLE_MESSAGE_RATING',
  'ENABLE_USER_WEBHOOKS',
  'ENABLE_USER_STATUS',
  'ENABLE_ADMIN_EXPORT',
  'ENABLE_ADMIN_CHAT_ACCESS',
  'ENABLE_ADMIN_ANALYTICS',
  'ENABLE_API_KEY_LIMITS',
  'ENABLE_AUTOCOMPLETE_GENERATION',
  'ENABLE_WEB_SEARCH',
  'ENABLE_CODE_EXECUTION',
  'ENABLE_CODE_INTERPRETER',
  'ENABLE_IMAGE_GENERATION',
  'ENABLE_IMAGE_EDIT',
  'SEALED_MODE',
] as const

/**
 * Features clients query and this gateway does not offer; a missing name would be interpreted as an
 * older gateway.
 */
const ABSENT = [
  'enable_google_drive_integration',
  'enable_onedrive_integration',
  'enable_onedrive_personal',
  'enable_onedrive_business',
] as const
const ABSENT_SWITCHES = Object.fromEntries(ABSENT.map((name) => [name, false]))

/** Branches of absent features, which clients access without checking their presence. */
const ABSENT_PARTS = Object.freeze({
  google_drive: {},
  onedrive: {},
  license_metadata: null,
})

const readSwitches = <Name extends SettingName<boolean>>(
  settings: Settings<Name>,
  keys: readonly Name[],
): Record<string, boolean> =>
  Object.fromEntries(keys.map((key) => [key.toLowerCase(), settings.get(key)]))

const describeWaiting = (settings: SystemSettings): GatewayConfig['ui'] => ({
  pending_user_overlay_title: settings.get('PENDING_USER_OVERLAY_TITLE'),
  pending_user_overlay_content: settings.get('PENDING_USER_OVERLAY_CONTENT'),
  response_watermark: settings.get('RESPONSE_WATERMARK'),
})

/**
 * Returns the additional data for signed-in callers; pending accounts get only the messages meant
 * for them.
 */
async function describeForCaller(
  { settings, users, groups, audio, models }: Context,
  caller: Caller,
): Promise<Partial<GatewayConfig>> {
  if (caller.role === 'pending') return { ui: describeWaiting(settings) }
  const named = (key: 'DEFAULT_MODELS' | 'DEFAULT_PINNED_MODELS'): string =>
    settings
      .get(key)
      .filter((id) => models.mayName(caller, id))
      .join(',')
  return {
    default_models: named('DEFAULT_MODELS') || null,
    default_pinned_models: named('DEFAULT_PINNED_MODELS'),
    default_prompt_suggestions: settings.get('DEFAULT_PROMPT_SUGGESTIONS'),
    ...(!users.cached.isGuest(caller.userId) && { user_count: await users.count() }),
    permissions: await groups.permissions.of(caller),
    ...ABSENT_PARTS,
    audio: {
      tts: {
        engine: settings.get('AUDIO_TTS_ENGINE'),
        voice: settings.get('AUDIO_TTS_VOICE'),
        split_on: settings.get('AUDIO_TTS_SPLIT_ON'),
      },
      // An empty engine stands for the local model where there is one.
      stt: {
        engine: (await audio.local.listens()) ? 'local' : settings.get('AUDIO_STT_ENGINE'),
      },
    },
    code: {
      engine: settings.get('CODE_EXECUTION_ENGINE'),
      interpreter_engine: settings.get('CODE_INTERPRETER_ENGINE'),
    },
    file: {
      max_size: settings.get('RAG_FILE_MAX_SIZE') || null,
      max_count: settings.get('RAG_FILE_MAX_COUNT') || null,
      image_compression: { width: null, height: null },
    },
    ui: describeWaiting(settings),
  }
}

/** Returns the bootstrap data of clients. */
export async function describeGateway(
  context: Context,
  caller: Caller | null,
  request: IncomingMessage,
): Promise<GatewayConfig> {
  const { auth, config, settings, users } = context
  const isSignedIn = caller !== null && caller.role !== 'pending'
  const features: GatewayConfig['features'] = {
    auth: !auth.isDoorOpen,
    auth_trusted_header: auth.trustedHeaders.isOn,
    enable_signup_password_confirmation: false,
    enable_password_change_form: !auth.trustedHeaders.isOn,
    enable_websocket: true,
    enable_version_update_check: false,
    enable_easter_eggs: false,
    ...readSwitches(settings, PUBLIC_SWITCHES),
    ...(isSignedIn && ABSENT_SWITCHES),
    ...(isSignedIn && readSwitches(settings, SWITCHES)),
    ...(isSignedIn && {
      folder_max_file_count: settings.get('FOLDER_MAX_FILE_COUNT') || null,
      has_web_search_engine: hasSearchEngine(settings),
    }),
  }
  return {
    ...((await users.count()) === 0 && {
      onboarding: true,
      needs_setup_code: await auth.setupCode.isNeededFor(request),
    }),
    status: true,
    name: settings.get('WEBUI_NAME'),
    version: config.apiVersion,
    product_version: config.productVersion,
    default_locale: settings.get('DEFAULT_LOCALE'),
    mode: config.mode,
    oauth: auth.singleSignOn.forSignInPage(),
    ...(settings.get('ENABLE_LDAP') && {
      ldap: { label: settings.get('LDAP_SERVER_LABEL') },
    }),
    features,
    ...(caller && (await describeForCaller(context, caller))),
  }
}
