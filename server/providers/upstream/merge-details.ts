import { isRecord, type Fields } from '../../lib/is-record.ts'
import { setOwn } from '../../lib/json/set-own.ts'

/**
 * Merges the pieces of a stream: the texts of those with the same kind and number are concatenated.
 */
export function mergeDetails(details: Fields[], pieces: unknown): void {
  if (!Array.isArray(pieces)) return
  for (const piece of pieces.filter(isRecord)) {
    const last = details.at(-1)
    const isSame =
      last &&
      last['type'] === piece['type'] &&
      last['index'] === piece['index'] &&
      piece['type'] !== 'reasoning.encrypted'
    if (!isSame) details.push({ ...piece })
    else {
      for (const [name, value] of Object.entries(piece)) {
        const grows =
          (name === 'text' || name === 'summary') &&
          typeof last[name] === 'string' &&
          typeof value === 'string'
        if (value != null) setOwn(last, name, grows ? `${last[name] as string}${value}` : value)
      }
    }
  }
}
