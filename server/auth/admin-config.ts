import type { z } from 'zod'
import { authAdminConfigSchema } from '#contract/auths.ts'
import type { SettingValue } from '#contract/settings.ts'
import { pickSettings } from '../settings/index.ts'
import type { AuthSettings } from './auth-settings.ts'

type AuthAdminConfig = z.output<typeof authAdminConfigSchema>

const KEYS = Object.keys(
  authAdminConfigSchema.shape,
) as (keyof typeof authAdminConfigSchema.shape)[]
/** Values stored for null: old clients send null, like an empty text, for no limit. */
const NO_LIMIT = { FOLDER_MAX_FILE_COUNT: 0, AUTOMATION_MAX_COUNT: 0, AUTOMATION_MIN_INTERVAL: 60 }

const isLimit = (key: string): key is keyof typeof NO_LIMIT => Object.hasOwn(NO_LIMIT, key)

/** Returns the settings for accounts, sign-in and keys, in the form old clients know. */
export function readAdminConfig(settings: AuthSettings): AuthAdminConfig {
  const values = pickSettings(settings, KEYS)
  return {
    ...values,
    API_KEYS_ALLOWED_ENDPOINTS: values.API_KEYS_ALLOWED_ENDPOINTS.join(','),
    FOLDER_MAX_FILE_COUNT: values.FOLDER_MAX_FILE_COUNT || null,
    AUTOMATION_MAX_COUNT: values.AUTOMATION_MAX_COUNT || null,
  }
}

/** Stores the sent settings; further fields of old clients are ignored. */
export async function updateAdminConfig(
  settings: AuthSettings,
  body: Partial<AuthAdminConfig>,
): Promise<AuthAdminConfig> {
  const values: Record<string, SettingValue> = {}
  for (const key of KEYS) {
    const value = body[key]
    if (value !== undefined) values[key] = value ?? (isLimit(key) ? NO_LIMIT[key] : '')
  }
  await settings.update(values)
  return readAdminConfig(settings)
}
