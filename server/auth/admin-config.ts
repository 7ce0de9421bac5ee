import type { z } from 'zod'
import { authAdminConfigSchema } from '#contract/auths.ts'
import type { SettingValue } from '#contract/settings.ts'
import type { Settings } from '../settings/index.ts'

type AuthAdminConfig = z.output<typeof authAdminConfigSchema>

const KEYS = Object.keys(authAdminConfigSchema.shape)
/** Old clients know no limit and an empty text as null. */
const NUMBER = 'FOLDER_MAX_FILE_COUNT'

/** The settings about people, sign-in and keys, in the form old clients know. */
export function readAdminConfig(settings: Settings): AuthAdminConfig {
  const values = new Map(settings.describe().map(({ key, value }) => [key, value]))
  const entries = KEYS.map(
    (key) =>
      [key, Array.isArray(values.get(key)) ? settings.string(key) : values.get(key)] as const,
  )
  return authAdminConfigSchema.parse({
    ...Object.fromEntries(entries),
    [NUMBER]: settings.integer(NUMBER) || null,
  })
}

/**
 * Stores what was sent of these settings; old clients send further fields, which mean nothing here.
 */
export function updateAdminConfig(
  settings: Settings,
  body: Partial<AuthAdminConfig>,
): AuthAdminConfig {
  const values: Record<string, SettingValue> = {}
  for (const key of KEYS) {
    const value = body[key as keyof AuthAdminConfig] as SettingValue | undefined
    if (value !== undefined) values[key] = value ?? (key === NUMBER ? 0 : '')
  }
  settings.update(values)
  return readAdminConfig(settings)
}
