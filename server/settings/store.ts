import type { SettingValue } from '#contract/settings.ts'
import { nowSeconds } from '../lib/ids.ts'
import type { Storage } from '../storage/index.ts'
import type { Secrets } from '../storage/secrets/secrets.ts'

const placeOf = (key: string): string => `setting|${key}|value`

/** Creates the store of overrides; values are JSON, encrypted for secret settings. */
export function createSettingsStore(storage: Storage, secrets: Secrets) {
  const { builder } = storage

  /** An unreadable value must not prevent the start; the setting then counts as never stored. */
  function decode(key: string, value: string, isSecret: boolean): SettingValue {
    const text = isSecret ? secrets.decrypt(placeOf(key), value) : value
    try {
      return text === null ? null : (JSON.parse(text) as SettingValue)
    } catch {
      return null
    }
  }

  return {
    /**
     * Returns the overrides by key; a secret written under another root secret is returned as null.
     */
    async readAll(secretKeys: ReadonlySet<string>): Promise<Map<string, SettingValue>> {
      const rows = await storage.all(builder.selectFrom('setting').select(['key', 'value']))
      return new Map(rows.map(({ key, value }) => [key, decode(key, value, secretKeys.has(key))]))
    },
    async write(key: string, value: SettingValue, isSecret: boolean): Promise<void> {
      const text = JSON.stringify(value)
      const row = {
        value: isSecret ? secrets.encrypt(placeOf(key), text) : text,
        updated_at: nowSeconds(),
      }
      await storage.run(
        builder
          .insertInto('setting')
          .values({ key, ...row })
          .onConflict((conflict) => conflict.column('key').doUpdateSet(row)),
      )
    },
    async remove(key: string): Promise<void> {
      await storage.remove('setting', { key })
    },
  }
}
