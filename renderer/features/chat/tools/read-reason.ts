/** Maximum length of a reason; a longer text is not a sentence. */
const LONGEST = 240

const FIELDS = ['message', 'detail', 'error', 'msg', 'title']

function readMessage(value: unknown): string | null {
  if (typeof value === 'string') return value
  if (Array.isArray(value)) return readMessage(value[0])
  if (typeof value !== 'object' || value === null) return null
  const fields = value as Readonly<Record<string, unknown>>
  for (const field of FIELDS) {
    const message = field in fields ? readMessage(fields[field]) : null
    if (message !== null) return message
  }
  return null
}

function parseMessage(text: string): string | null {
  try {
    return readMessage(JSON.parse(text))
  } catch {
    return null
  }
}

const linesOf = (text: string): string[] =>
  text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '')

/**
 * Returns the reason a call failed in one line: the end of a Python traceback, the message of a
 * JSON document, or else the first line.
 */
export function readReason(result: string): string {
  const text = parseMessage(result) ?? result
  const lines = linesOf(text)
  const isTraceback = lines.some((line) => line.startsWith('Traceback (most recent call last)'))
  const reason = (isTraceback ? lines.at(-1) : lines[0]) ?? ''
  return reason.length > LONGEST ? `${reason.slice(0, LONGEST).trimEnd()}…` : reason
}
