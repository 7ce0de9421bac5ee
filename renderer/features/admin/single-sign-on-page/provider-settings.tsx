import type { Setting, SettingValue } from '#contract/settings.ts'
import { SettingRow } from '../../../ui/settings/setting-row.tsx'
import { labelKeyOf } from './setting-parts.ts'

/** Returns the display name of a setting. */
export type NameOf = (setting: { readonly key: string }) => string
export type SaveSetting = (key: string, value: SettingValue) => Promise<void>

interface ProviderSettingsProps {
  readonly rows: readonly Setting[]
  readonly nameOf: NameOf
  readonly onSave: SaveSetting
}

/** Settings of one or all providers, in a column. */
export function ProviderSettings({ rows, nameOf, onSave }: ProviderSettingsProps) {
  return (
    <ul className="mt-1 mb-4 divide-y divide-line rounded-large border border-line bg-raised">
      {rows.map((setting) => (
        <SettingRow
          key={setting.key}
          setting={setting}
          label={nameOf({ key: labelKeyOf(setting.key) })}
          showsKey
          onSave={(value) => onSave(setting.key, value)}
        />
      ))}
    </ul>
  )
}
