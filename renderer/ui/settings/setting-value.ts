import type { Setting, SettingValue } from '#contract/settings.ts'

const SEPARATOR = ';'

/** A value as it stands in its box. */
export const toText = (value: SettingValue): string =>
  Array.isArray(value) ? value.join(SEPARATOR) : value === null ? '' : String(value)

/** JSON with line breaks, to be read and changed by people; what is no JSON stays as it is. */
export function layOut(json: string): string {
  try {
    return JSON.stringify(JSON.parse(json), null, 2)
  } catch {
    return json
  }
}

/** Reads what was typed as a value of the setting's type. */
export function parseSetting(type: Setting['type'], text: string): SettingValue {
  if (type === 'integer' || type === 'number') return Number(text)
  if (type !== 'list') return text
  return text
    .split(SEPARATOR)
    .map((part) => part.trim())
    .filter(Boolean)
}

/** Where a text is no JSON, in the words of the machine; null when it is. */
export function findJsonFault(text: string): string | null {
  try {
    JSON.parse(text)
    return null
  } catch (thrown) {
    return thrown instanceof Error ? thrown.message : String(thrown)
  }
}
