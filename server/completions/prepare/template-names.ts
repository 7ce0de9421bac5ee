import { tooLarge } from '../../lib/errors.ts'
import type { Caller } from '../../lib/http.ts'
import { runInTurns } from '../../lib/turns.ts'
import { whenReady } from '../../lib/timing/when-ready.ts'
import type { Exchange } from '../exchange.ts'
import type { CompletionsParts } from '../completions-parts.ts'

/** Returns the names every prompt template may use, with their values. */
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

/**
 * Returns the name without braces. Trimmed manually, because a regular expression would be slow on
 * a name with many spaces.
 */
function toBareName(key: string): string {
  const name = key.startsWith('{{') ? key.slice(2).trimStart() : key
  return name.endsWith('}}') ? name.slice(0, -2).trimEnd() : name
}

/**
 * Returns the built-in names, the user's personal details and the values of the caller, which
 * override the others.
 */
export function collectNames(
  { people }: CompletionsParts,
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

const PLACEHOLDER = /\{\{\s*(\w+)\s*\}\}/y
/** Number of placeholders processed between two turns of the event loop. */
const PLACES_IN_A_STEP = 500
/**
 * Maximum number of characters of all values inserted into one request, because each value may be
 * used repeatedly.
 */
const MOST_CHARACTERS = 64 * 1024 * 1024

/** Fills `{{NAME}}` in the texts of one request; names without a value stay as they are. */
export class NameFiller {
  readonly #names: ReadonlyMap<string, string>
  #room: number

  constructor(names: ReadonlyMap<string, string>, mostCharacters = MOST_CHARACTERS) {
    this.#names = names
    this.#room = mostCharacters
  }

  /** Returns a promise for a text with very many names, which is filled slice by slice. */
  fill(text: string): string | Promise<string> {
    const steps = this.#steps(text)
    const first = steps.next()
    return first.done ? first.value : runInTurns(steps)
  }

  *#steps(text: string): Generator<void, string> {
    let filled = ''
    let end = 0
    let count = 0
    for (let at = text.indexOf('{{'); at >= 0; at = text.indexOf('{{', Math.max(end, at + 1))) {
      const value = this.#valueAt(text, at)
      if (value !== undefined) {
        filled += text.slice(end, at) + value
        end = PLACEHOLDER.lastIndex
      }
      if ((count += 1) % PLACES_IN_A_STEP === 0) yield
    }
    return filled + text.slice(end)
  }

  /** Returns the value of the name at a position and advances `PLACEHOLDER` past it. */
  #valueAt(text: string, place: number): string | undefined {
    PLACEHOLDER.lastIndex = place
    const name = PLACEHOLDER.exec(text)?.[1]
    const value = name === undefined ? undefined : this.#names.get(name)
    this.#room -= value?.length ?? 0
    if (this.#room < 0)
      throw tooLarge(
        'The variables of this request would fill more than 64 million characters; name long ones less often.',
      )
    return value
  }
}
