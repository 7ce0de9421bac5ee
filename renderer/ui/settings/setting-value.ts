import type { Setting, SettingValue } from '#contract/settings.ts'
import { translate } from '../../lib/i18n.ts'

const SEPARATOR = ';'

/** Returns a value as text for its input. */
export const toText = (value: SettingValue): string =>
  Array.isArray(value) ? value.join(SEPARATOR) : value === null ? '' : String(value)

/** Returns the words for a value of a setting that allows certain values only. */
export const nameChoice = ({ key }: Pick<Setting, 'key'>, value: string): string =>
  translate(
    `settingPages.gateway.choices.${key}.${value || 'empty'}` as 'settingPages.gateway.choices.TOOL_APPROVAL.never',
    { defaultValue: value || translate('settingPages.gateway.none') },
  )

/** Formats JSON with line breaks for editing; returns invalid JSON unchanged. */
export function layOut(json: string): string {
  try {
    return JSON.stringify(JSON.parse(json), null, 2)
  } catch {
    return json
  }
}

/** Parses typed text as a value of the setting's type. */
export function parseSetting(type: Setting['type'], text: string): SettingValue {
  if (type === 'integer' || type === 'number') return Number(text)
  if (type !== 'list') return text
  return text
    .split(SEPARATOR)
    .map((part) => part.trim())
    .filter(Boolean)
}

/** Returns the JSON parser's error message for a text; null if it is valid. */
export function findJsonFault(text: string): string | null {
  try {
    JSON.parse(text)
    return null
  } catch (thrown) {
    return thrown instanceof Error ? thrown.message : String(thrown)
  }
}
