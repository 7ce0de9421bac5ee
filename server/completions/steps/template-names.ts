import type { Caller } from '../../lib/http.ts'
import { whenReady } from '../../lib/when-ready.ts'
import type { Exchange } from '../exchange.ts'
import type { CompletionsParts } from '../completions-parts.ts'

/** The names every prompt template may use, with their values. */
export function builtInNames(caller: Pick<Caller, 'name' | 'email'>): Map<string, string> {
  const now = new Date()
  // The Swedish locale writes dates in ISO order.
  const [date = '', time = ''] = now.toLocaleString('sv-SE').split(' ')
  return new Map([
    ['CURRENT_DATE', date],
    ['CURRENT_TIME', time],
    ['CURRENT_DATETIME', `${date} ${time}`],
    ['CURRENT_WEEKDAY', now.toLocaleDateString('en-US', { weekday: 'long' })],
    ['CURRENT_TIMEZONE', Intl.DateTimeFormat().resolvedOptions().timeZone],
    ['USER_NAME', caller.name],
    ['USER_EMAIL', caller.email],
  ])
}

const NOTHING_TOLD: ReadonlyMap<string, string> = new Map()

/** Cut by hand, as a pattern would take its time over a name of many spaces. */
function toBareName(key: string): string {
  const name = key.startsWith('{{') ? key.slice(2).trimStart() : key
  return name.endsWith('}}') ? name.slice(0, -2).trimEnd() : name
}

/**
 * The built-in names and what the person told about themselves, with the values a caller gave, who
 * may override them.
 */
export function collectNames(
  { people }: Pick<CompletionsParts, 'people'>,
  { caller }: Pick<Exchange, 'caller'>,
  variables: Readonly<Record<string, unknown>>,
): ReadonlyMap<string, string> | Promise<ReadonlyMap<string, string>> {
  return whenReady(people?.promptNames(caller.userId, new Date()) ?? NOTHING_TOLD, (told) => {
    const names = new Map([...told, ...builtInNames(caller)])
    for (const [key, value] of Object.entries(variables)) {
      if (['string', 'number', 'boolean'].includes(typeof value))
        names.set(toBareName(key), String(value))
    }
    return names
  })
}

const PLACEHOLDER = /\{\{\s*(\w+)\s*\}\}/g

/** Fills `{{NAME}}`; names nobody gave stay as they are. */
export const fillNames = (text: string, names: ReadonlyMap<string, string>): string =>
  text.replace(PLACEHOLDER, (placeholder, name: string) => names.get(name) ?? placeholder)
