import { redactText } from '../lib/logger.ts'

/** Characters of a body that are kept. */
export const LARGEST_BODY = 64 * 1024
const LARGEST_STRING = 16 * 1024
const LARGEST_DEPTH = 60

const REDACTED = '[redacted]'
const CUT = '[cut]'
const SECRET_NAME =
  /^(key|pwd|auth|code|jwt|headers?|bearer)$|(password|passwd|passphrase|secret|apikey|accesskey|privatekey|authorization|credentials?|cookies?|signature|token)$/
const DATA_URI = /data:([\w.+-]+\/[\w.+-]+)?(;[\w=.+-]+)*;base64,[A-Za-z0-9+/=_-]{64,}/g

/** Whether a field of this name may hold something nobody else should read. */
export const isSecretName = (name: string): boolean => SECRET_NAME.test(name.toLowerCase().replaceAll(/[^a-z]/g, ''))

const cutDataUris = (text: string): string =>
  text.includes('base64,') ? text.replace(DATA_URI, (uri) => `${uri.slice(0, uri.indexOf(',') + 1)}${CUT}`) : text

const redactString = (text: string): string => {
  const plain = redactText(cutDataUris(text))
  return plain.length > LARGEST_STRING ? `${plain.slice(0, LARGEST_STRING)}${CUT}` : plain
}

/** A text that came from a body, and whether anything of it is missing. */
export interface RedactedBody {
  readonly text: string
  readonly isWhole: boolean
}

/** Copies JSON without its secrets until there is enough of it; what comes out is JSON again. */
function redactValue(value: unknown, budget: { left: number }, depth = 0): unknown {
  if (budget.left <= 0 || depth > LARGEST_DEPTH) return CUT
  if (typeof value === 'string') {
    const text = redactString(value).slice(0, budget.left)
    budget.left -= text.length + 2
    return text
  }
  budget.left -= 8
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    const items: unknown[] = []
    for (const item of value) {
      items.push(redactValue(item, budget, depth + 1))
      if (budget.left <= 0) break
    }
    return items
  }
  const fields: [string, unknown][] = []
  for (const [name, field] of Object.entries(value)) {
    budget.left -= name.length + 4
    const isSecret = isSecretName(name) && field !== null && typeof field !== 'boolean'
    fields.push([redactText(name.slice(0, LARGEST_STRING)), isSecret ? REDACTED : redactValue(field, budget, depth + 1)])
    if (budget.left <= 0) break
  }
  return Object.fromEntries(fields)
}

/** Texts that are no JSON document, such as streams of events: secrets are found by the names in front of them. */
function redactPlainText(text: string): string {
  const named = text.replace(/"((?:[^"\\]|\\.){1,100})"(\s*:\s*)"(?:[^"\\]|\\.)*("|$)/g, (whole, name: string, colon: string) =>
    isSecretName(name) ? `"${name}"${colon}"${REDACTED}"` : whole,
  )
  return redactText(cutDataUris(named)).slice(0, LARGEST_BODY)
}

function parseOrNull(text: string): { value: unknown } | null {
  try {
    return { value: JSON.parse(text) as unknown }
  } catch {
    return null
  }
}

/** A body as it may be shown: without keys, passwords, tokens, cookies and embedded files, and no longer than 64 kB. */
export function redactBody(text: string): RedactedBody {
  const parsed = /^\s*[[{"]/.test(text) ? parseOrNull(text) : null
  if (!parsed) {
    const plain = redactPlainText(text)
    return { text: plain, isWhole: plain === text }
  }
  const redacted = JSON.stringify(redactValue(parsed.value, { left: LARGEST_BODY }))
  return { text: redacted, isWhole: redacted === JSON.stringify(parsed.value) }
}

/** The address of a call without the secrets of its query. */
export function redactPath(url: string): string {
  const mark = url.indexOf('?')
  if (mark === -1) return redactText(url)
  const query = url
    .slice(mark + 1)
    .split('&')
    .map((pair) => {
      const name = pair.split('=', 1)[0]!
      return isSecretName(decodeName(name)) ? `${name}=${REDACTED}` : redactText(pair)
    })
  return `${redactText(url.slice(0, mark))}?${query.join('&')}`
}

function decodeName(name: string): string {
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}
