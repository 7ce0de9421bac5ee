import type { ZodType } from 'zod'
import type { Setting, SettingGroup, SettingValue } from '#contract/settings.ts'

/** Texts of a row; `npm run generated` writes them to the files where translators find them. */
export type SettingTexts = Pick<SettingDefinition, 'name' | 'searchWords' | 'help'>

/** One row of the settings table; the environment variable has the name of the key. */
export interface SettingDefinition {
  readonly key: string
  /** Alternative name of the environment variable, for environments written for it. */
  readonly alias?: string
  readonly type: Setting['type']
  /** If the desktop app and a server differ, one value each. */
  readonly default: SettingValue | { readonly desktop: SettingValue; readonly server: SettingValue }
  /** Name of the setting for people, different from all others. */
  readonly name: string
  /** Further words it is found by. */
  readonly searchWords?: string
  readonly help: string
  /** Topic of the setting; `operation` when absent. */
  readonly group?: SettingGroup
  /** Stored encrypted and never sent to a client. */
  readonly secret?: boolean
  /** Read from the environment only; an administrator cannot change it while the gateway runs. */
  readonly environmentOnly?: boolean
  /** Environment switch without which stored values do not apply and cannot be changed. */
  readonly lockedUnless?: string
  readonly allowed?: readonly string[]
  readonly minimum?: number
  readonly maximum?: number
  /** Schema of the text of a `json` setting, with the words that complete "must be …". */
  readonly json?: { readonly schema: ZodType; readonly words: string }
  /**
   * Separator between the entries of a list that is written as text; commas and semicolons when
   * absent.
   */
  readonly separator?: RegExp
  /** For strings and each entry of a list, with the words that complete "must be …". */
  readonly pattern?: {
    readonly expression: RegExp | { readonly test: (text: string) => boolean }
    readonly words: string
  }
  /** True if it accepts several lines. */
  readonly isLong?: boolean
}
