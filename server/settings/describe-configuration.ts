import { startVariables } from '../config/variables.ts'
import { settingDefinitions } from './definitions.ts'
import type { SettingDefinition } from './setting-definition.ts'

const LONGEST_DEFAULT = 40

function textOf(value: unknown): string {
  const text = Array.isArray(value) ? value.join(', ') : String(value)
  if (text === '') return ''
  return text.length > LONGEST_DEFAULT || text.includes('\n') ? 'a built-in text' : `\`${text}\``
}

function defaultText({ default: value }: SettingDefinition): string {
  const differs = typeof value === 'object' && value !== null && 'desktop' in value
  return differs
    ? `${textOf(value.desktop)} in the app, ${textOf(value.server)} on a server`
    : textOf(value)
}

const toRow = (cells: readonly string[]): string =>
  `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`

const namesOf = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(', ')

/** Returns all environment variables as a markdown table, for docs/configuration.md. */
export function describeConfiguration(): string {
  const start = startVariables.map(({ name, aliases = [], defaultText: text, help }) =>
    toRow([namesOf([name, ...aliases]), text, help, 'at start']),
  )
  const settings = settingDefinitions.map((definition) =>
    toRow([
      namesOf([definition.key, ...(definition.alias === undefined ? [] : [definition.alias])]),
      defaultText(definition),
      definition.help,
      definition.environmentOnly ? 'at start' : 'settings page',
    ]),
  )
  return [
    toRow(['Variable', 'Default', 'Meaning', 'Change']),
    '| --- | --- | --- | --- |',
    ...start,
    ...settings,
    '',
  ].join('\n')
}
