import { text } from '../rows.ts'
import type { SettingDefinition } from '../setting-definition.ts'

const LOCALE = {
  expression: /^([a-z]{2,3}(-[a-z\d]{2,8})*)?$/i,
  words: 'a language tag such as en-GB',
}

export const appearance = [
  text('WEBUI_NAME', 'Chat Gateway', {
    name: 'Gateway name',
    searchWords: 'title brand',
    pattern: { expression: /\S/, words: 'a name' },
    help: 'Name shown in the window and in emails.',
  }),
  text('DEFAULT_LOCALE', '', {
    name: 'Default language',
    searchWords: 'translation',
    pattern: LOCALE,
    help: 'Language of people who have not chosen one; empty follows their browser.',
  }),
] as const satisfies readonly SettingDefinition[]
