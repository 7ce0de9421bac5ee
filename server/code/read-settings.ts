import { codeConfigSchema, type CodeConfig } from '#contract/code.ts'
import type { SettingValue } from '#contract/settings.ts'
import { pickSettings } from '../settings/index.ts'
import type { CodeSettings } from './code-settings.ts'
import type { JupyterServer } from './jupyter/sign-in.ts'

/** Use of code: code blocks run by users, or code written by models. */
export type CodeUse = 'EXECUTION' | 'INTERPRETER'

const KEYS = Object.keys(codeConfigSchema.shape) as (keyof CodeConfig)[]
const isSecret = (key: string): boolean => /_AUTH_(TOKEN|PASSWORD)$/.test(key)

/** Returns the settings of code in one object; secrets are never included. */
export function readCodeConfig(settings: CodeSettings): CodeConfig {
  const secrets = KEYS.filter(isSecret).map((key) => [key, ''] as const)
  return { ...pickSettings(settings, KEYS), ...Object.fromEntries(secrets) }
}

/**
 * Stores the sent values. Null and, for secrets, the empty text they read as keep the current
 * value; an empty prompt resets to the default.
 */
export async function updateCodeConfig(
  settings: CodeSettings,
  input: CodeConfig,
): Promise<CodeConfig> {
  const changes: Record<string, SettingValue> = {}
  for (const key of KEYS) {
    const value = input[key]
    if (value === null || (isSecret(key) && value === '')) continue
    changes[key] = key === 'CODE_INTERPRETER_PROMPT_TEMPLATE' && value === '' ? null : value
  }
  await settings.update(changes)
  return readCodeConfig(settings)
}

export const readServer = (settings: CodeSettings, use: CodeUse): JupyterServer => ({
  url: settings.get(`CODE_${use}_JUPYTER_URL`),
  auth: settings.get(`CODE_${use}_JUPYTER_AUTH`),
  token: settings.get(`CODE_${use}_JUPYTER_AUTH_TOKEN`),
  password: settings.get(`CODE_${use}_JUPYTER_AUTH_PASSWORD`),
  timeoutMs: settings.get(`CODE_${use}_JUPYTER_TIMEOUT`) * 1000,
})
