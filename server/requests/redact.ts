import { decodePercent } from '../lib/text/decode-percent.ts'
import { redactText } from '../lib/logger.ts'

/** Maximum number of characters kept of a body. */
export const LARGEST_BODY = 64 * 1024
const LARGEST_STRING = 16 * 1024
const LARGEST_DEPTH = 60
const LONGEST_NAME = 500

const REDACTED = '[redacted]'
const CUT = '[cut]'
const SECRET_NAME =
  /^(key|pwd|auth|code|jwt|headers?|bearer)$|(passwords?|passwd|passphrase|secrets?|apikeys?|apiauth|accesskeys?|privatekeys?|authorization|credentials?|cookies?|signature|token)$/
/** Parameters that link a provider's response to the sign-in that was started. */
const FLOW_NAME = /^(state|nonce|id_token_hint)$/
/** A name and its value, complete or truncated, in a text that is not JSON. */
const NAMED_VALUE =
  /"((?:[^"\\]|\\.){1,500})"(\s*:\s*)("(?:[^"\\]|\\.)*(?:"|\\?$)|[[{]|[\d.eE+-]+)/g
const DATA_URI = /data:([\w.+-]+\/[\w.+-]+)?(;[\w=.+-]+)*;base64,[A-Za-z0-9+/=_-]{64,}/g

/** Reports whether a field of this name may contain confidential data. */
export const isSecretName = (name: string): boolean =>
  SECRET_NAME.test(name.toLowerCase().replaceAll(/[^a-z]/g, ''))

const cutDataUris = (text: string): string =>
  text.includes('base64,')
    ? text.replace(DATA_URI, (uri) => `${uri.slice(0, uri.indexOf(',') + 1)}${CUT}`)
    : text

/** A text from a body; tells whether it is complete. */
export interface RedactedBody {
  readonly text: string
  readonly isWhole: boolean
}

/**
 * Copies JSON without its secrets up to the size limit; the result is valid JSON of limited depth.
 */
class Redaction {
  #left = LARGEST_BODY
  isWhole = true

  value(value: unknown, depth = 0): unknown {
    if (this.#left <= 0 || depth > LARGEST_DEPTH) return this.#mark(CUT)
    this.#left -= 8
    if (typeof value === 'string') return this.#string(value, LARGEST_STRING)
    if (typeof value !== 'object' || value === null) return value
    if (Array.isArray(value)) return this.#some(value, (item) => this.value(item, depth + 1))
    return Object.fromEntries(
      this.#some(Object.entries(value), ([name, field]) => this.#field(name, field, depth)),
    )
  }

  #mark(text: string): string {
    this.isWhole = false
    return text
  }

  #string(text: string, limit: number): string {
    const plain = redactText(cutDataUris(text))
    const room = Math.min(limit, Math.max(0, this.#left))
    this.#left -= Math.min(plain.length, room)
    if (plain.length > room) return this.#mark(`${plain.slice(0, room)}${CUT}`)
    return plain === text ? text : this.#mark(plain)
  }

  #field(name: string, field: unknown, depth: number): [string, unknown] {
    const isSecret = isSecretName(name) && field !== null && typeof field !== 'boolean'
    return [
      this.#string(name, LONGEST_NAME),
      isSecret ? this.#mark(REDACTED) : this.value(field, depth + 1),
    ]
  }

  #some<Item, Result>(items: readonly Item[], redact: (item: Item) => Result): Result[] {
    const found: Result[] = []
    for (const item of items) {
      if (this.#left <= 0) {
        this.isWhole = false
        break
      }
      found.push(redact(item))
    }
    return found
  }
}

function redactJson(text: string): RedactedBody | null {
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch {
    return null
  }
  const redaction = new Redaction()
  const redacted = JSON.stringify(redaction.value(parsed))
  return { text: redacted, isWhole: redaction.isWhole }
}

/**
 * Redacts a line that is not JSON, such as a fragment: removes the value after a secret name, or
 * the rest of the line if the value is an object or list.
 */
function redactLoose(line: string): string {
  const parts = [...line.matchAll(NAMED_VALUE)].find(
    ([, name = '', , value = '']) => /^[[{]/.test(value) && isSecretName(name),
  )
  const kept = parts ? line.slice(0, parts.index) : line
  const named = kept.replace(NAMED_VALUE, (whole, name: string, colon: string) =>
    isSecretName(name) ? `"${name}"${colon}"${REDACTED}"` : whole,
  )
  return redactText(cutDataUris(named)) + (parts ? CUT : '')
}

/** Redacts event streams and similar text, line by line. */
function redactLines(text: string): string {
  const lines = text.split('\n').map((line) => {
    const [, prefix = '', json] = /^((?:data: ?)?)(\s*[[{].*)$/s.exec(line) ?? []
    const redacted = json === undefined ? null : redactJson(json)
    return redacted ? prefix + redacted.text : redactLoose(line)
  })
  return lines.join('\n').slice(0, LARGEST_BODY)
}

/**
 * Returns a body as it may be shown: without keys, passwords, tokens, cookies and embedded files,
 * and no longer than 64 kB.
 */
export function redactBody(text: string): RedactedBody {
  const json = redactJson(text)
  if (json) return json
  const lines = redactLines(text)
  return { text: lines, isWhole: lines === text }
}

/** Returns the URL of a call without the secrets of its query. */
export function redactPath(url: string): string {
  const mark = url.indexOf('?')
  if (mark === -1) return redactText(url)
  const query = url
    .slice(mark + 1)
    .split('&')
    .map((pair) => {
      const name = pair.split('=', 1)[0]!
      return isSecretName(decodePercent(name)) || FLOW_NAME.test(name)
        ? `${name}=${REDACTED}`
        : redactText(pair)
    })
  return `${redactText(url.slice(0, mark))}?${query.join('&')}`
}
