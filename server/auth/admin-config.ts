import type { z } from 'zod'
import { authAdminConfigSchema } from '#contract/auths.ts'
import type { SettingValue } from '#contract/settings.ts'
import { pickSettings } from '../settings/index.ts'
import type { AuthSettings } from './auth-settings.ts'

type AuthAdminConfig = z.output<typeof authAdminConfigSchema>

const KEYS = Object.keys(
  authAdminConfigSchema.shape,
) as (keyof typeof authAdminConfigSchema.shape)[]
/** Old clients know no limit and an empty text as null. */
const NUMBER = 'FOLDER_MAX_FILE_COUNT'

/** The settings about people, sign-in and keys, in the form old clients know. */
export function readAdminConfig(settings: AuthSettings): AuthAdminConfig {
  const values = pickSettings(settings, KEYS)
  return {
    ...values,
    API_KEYS_ALLOWED_ENDPOINTS: values.API_KEYS_ALLOWED_ENDPOINTS.join(','),
    [NUMBER]: values[NUMBER] || null,
  }
}

/**
 * Stores what was sent of these settings; old clients send further fields, which mean nothing here.
 */
export async function updateAdminConfig(
  settings: AuthSettings,
  body: Partial<AuthAdminConfig>,
): Promise<AuthAdminConfig> {
  const values: Record<string, SettingValue> = {}
  for (const key of KEYS) {
    const value = body[key]
    if (value !== undefined) values[key] = value ?? (key === NUMBER ? 0 : '')
  }
  await settings.update(values)
  return readAdminConfig(settings)
}
