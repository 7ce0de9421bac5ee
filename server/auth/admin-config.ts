import type { z } from 'zod'
import type { authAdminConfigSchema } from '#contract/auths.ts'
import type { SettingValue } from '#contract/settings.ts'
import type { Settings } from '../settings/index.ts'

type AuthAdminConfig = z.output<typeof authAdminConfigSchema>

const KEYS = [
  'ENABLE_SIGNUP',
  'DEFAULT_USER_ROLE',
  'JWT_EXPIRES_IN',
  'ENABLE_API_KEYS',
  'ENABLE_API_KEYS_ENDPOINT_RESTRICTIONS',
  'API_KEYS_ALLOWED_ENDPOINTS',
  'SHOW_ADMIN_DETAILS',
  'WEBUI_URL',
] as const

/** The settings about sign-in and keys, in the form old clients know. */
export const readAdminConfig = (settings: Settings): AuthAdminConfig => ({
  ENABLE_SIGNUP: settings.boolean('ENABLE_SIGNUP'),
  DEFAULT_USER_ROLE: settings.string('DEFAULT_USER_ROLE') as AuthAdminConfig['DEFAULT_USER_ROLE'],
  JWT_EXPIRES_IN: settings.string('JWT_EXPIRES_IN'),
  ENABLE_API_KEYS: settings.boolean('ENABLE_API_KEYS'),
  ENABLE_API_KEYS_ENDPOINT_RESTRICTIONS: settings.boolean('ENABLE_API_KEYS_ENDPOINT_RESTRICTIONS'),
  API_KEYS_ALLOWED_ENDPOINTS: settings.string('API_KEYS_ALLOWED_ENDPOINTS'),
  SHOW_ADMIN_DETAILS: settings.boolean('SHOW_ADMIN_DETAILS'),
  WEBUI_URL: settings.string('WEBUI_URL'),
})

/** Stores what was sent of these settings; old clients send further fields, which mean nothing here. */
export function updateAdminConfig(settings: Settings, body: Partial<AuthAdminConfig>): AuthAdminConfig {
  const values: Record<string, SettingValue> = {}
  for (const key of KEYS) {
    if (body[key] !== undefined) values[key] = body[key]
  }
  settings.update(values)
  return readAdminConfig(settings)
}
