import { send } from './close-worker.ts'

/** URL the runtime loads its files from; it is never requested. */
export const FILES = 'https://runtime.invalid/'

const waiting = new Map<string, (bytes: ArrayBuffer | null) => void>()
const held = new Map<string, BodyInit>()

const nameOf = (input: RequestInfo | URL): string => {
  const address = input instanceof Request ? input.url : String(input)
  return address.startsWith(FILES) ? address.slice(FILES.length) : ''
}

/**
 * Replaces `fetch`: returns files that were passed in, and requests files of packages from the page.
 */
export async function fetchHeld(input: RequestInfo | URL): Promise<Response> {
  const name = nameOf(input)
  const known = held.get(name)
  if (known !== undefined) return new Response(known)
  if (!/^[\w.+-]+\.(whl|zip|tar)$/.test(name)) throw new TypeError('Code has no network here.')
  const bytes = await new Promise<ArrayBuffer | null>((resolve) => {
    waiting.set(name, resolve)
    send({ type: 'need', name })
  })
  return bytes ? new Response(bytes) : new Response(null, { status: 404 })
}

export const holdFile = (name: string, body: BodyInit): void => void held.set(name, body)

export function receivePackage(name: string, bytes: ArrayBuffer | null): void {
  waiting.get(name)?.(bytes)
  waiting.delete(name)
}
