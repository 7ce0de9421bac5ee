import { translate } from '../../../lib/i18n.ts'

/** Reads a complete body; throws if it is longer than `most` bytes. */
export async function readBytes(
  response: Response,
  most: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const pieces: Uint8Array[] = []
  let size = 0
  const reader = response.body?.getReader()
  for (let next = await reader?.read(); next && !next.done; next = await reader!.read()) {
    pieces.push(next.value)
    size += next.value.length
    if (size > most) {
      void reader!.cancel()
      throw new Error(translate('toolServers.own.tooLarge', { size: Math.round(most / 1024) }))
    }
  }
  const bytes = new Uint8Array(size)
  let at = 0
  for (const piece of pieces) {
    bytes.set(piece, at)
    at += piece.length
  }
  return bytes
}

const isText = (type: string): boolean =>
  type === '' ||
  type.startsWith('text/') ||
  /^application\/([\w.+-]+\+)?(json|xml|yaml|javascript)$/.test(type)

function toDataAddress(type: string, bytes: Uint8Array): string {
  let binary = ''
  for (let at = 0; at < bytes.length; at += 8192)
    binary += String.fromCharCode(...bytes.subarray(at, at + 8192))
  return `data:${type};base64,${btoa(binary)}`
}

/** Returns JSON as its value, other text unchanged, anything else as a `data:` URL. */
export async function readReply(response: Response, most: number): Promise<unknown> {
  const bytes = await readBytes(response, most)
  const type = (response.headers.get('content-type') ?? '').split(';', 1)[0]!.trim().toLowerCase()
  if (!isText(type)) return toDataAddress(type, bytes)
  const text = new TextDecoder().decode(bytes)
  if (text === '') return null
  if (!type.endsWith('json')) return text
  try {
    return JSON.parse(text) as unknown
  } catch {
    return text
  }
}

/**
 * Returns an error message for a failed request. Browsers do not reveal whether a server is
 * unreachable or refuses the origin, so both are mentioned.
 */
export function failureOf(thrown: unknown, signal: AbortSignal, address: string): Error {
  const name = (thrown as { name?: unknown } | null)?.name
  if (signal.aborted && (signal.reason as { name?: unknown } | null)?.name === 'TimeoutError') {
    return new Error(translate('toolServers.own.timeout', { address }))
  }
  // A TypeError of the frame's realm is not an instance of this realm's.
  if (name === 'TypeError')
    return new Error(translate('toolServers.own.unreachable', { address, origin: location.origin }))
  return thrown instanceof Error ? thrown : new Error(String(thrown))
}
