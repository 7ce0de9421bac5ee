import { isRecord } from '../is-record.ts'
import { parseOrNull } from '../json/parse-or-null.ts'
import { redactText } from '../logger.ts'
import type { OutgoingReply } from './outgoing.ts'

/** An error reply says little; a longer one is not read. */
const FAULT_BYTES = 64 * 1024
const FAULT_MILLISECONDS = 5000
const LONGEST_FAULT = 500
const SHORTEST_SECRET = 4
const SECRET_HEADERS = /auth|key|token/i

/**
 * Reads the body of a failed call; returns empty bytes if it is too long or does not arrive soon.
 */
export async function readFaultBody(reply: OutgoingReply): Promise<Buffer> {
  const timer = setTimeout(() => reply.abort(), FAULT_MILLISECONDS)
  const body = await reply.bytes(FAULT_BYTES).catch(() => Buffer.alloc(0))
  clearTimeout(timer)
  return body
}

/** Returns the text of another server without the secrets it was sent, which it may repeat. */
export function hideSecrets(text: string, secrets: readonly string[]): string {
  let hidden = redactText(text)
  for (const secret of secrets)
    if (secret.length >= SHORTEST_SECRET) hidden = hidden.replaceAll(secret, '[redacted]')
  return hidden
}

/**
 * Returns the error message of a failed call, wherever in the body it is, without the values of the
 * headers that were sent; empty if there is none.
 */
export async function readFault(
  reply: OutgoingReply,
  sent: Readonly<Record<string, string>>,
): Promise<string> {
  const text = (await readFaultBody(reply)).toString('utf8').trim()
  const value = parseOrNull(text)
  const { error, detail, message, err_msg: reason } = isRecord(value) ? value : {}
  const inner = [error, detail].map((each) =>
    isRecord(each) ? (each['message'] ?? each['type']) : each,
  )
  const found = [...inner, message, reason].find((each) => typeof each === 'string' && each !== '')
  // Not JSON, but plain text or an HTML page, which is not shown.
  const said = typeof found === 'string' ? found : text.startsWith('<') ? '' : text
  const secrets = Object.entries(sent).flatMap(([name, header]) =>
    SECRET_HEADERS.test(name) ? [header, header.split(' ').at(-1)!] : [],
  )
  return hideSecrets(said, secrets).slice(0, LONGEST_FAULT)
}
