import type { Setting, SettingValue } from '#contract/settings.ts'

/** Values of all settings: stored override, else environment, else default (decisions §1). Reads are from memory. */
export interface Settings {
  boolean(key: string): boolean
  string(key: string): string
  integer(key: string): number
  list(key: string): readonly string[]
  /** All rows for the settings page; secrets without their value. */
  describe(): Setting[]
  /** Stores values, null removes the override; 400 with the key and reason for a value that does not fit. Atomic. */
  update(values: Record<string, SettingValue>): void
  onChange(listener: (keys: readonly string[]) => void): void
}
