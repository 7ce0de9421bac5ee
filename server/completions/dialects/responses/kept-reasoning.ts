import type { InnerJson } from '../../../lib/json/inner-json.ts'
import { isRecord, type Fields } from '../../../lib/is-record.ts'

/**
 * Reasoning of a model: its plain text, and opaque data the provider expects back, such as
 * signatures and sealed blocks.
 */
export interface KeptReasoning {
  readonly text: string
  readonly details: readonly Fields[]
}

/**
 * Encodes reasoning as text that only the gateway reads, for callers that keep a conversation
 * themselves. It hides nothing: secret parts were already sealed by the provider.
 */
export function sealReasoning({ text, details }: KeptReasoning, model: string): string {
  return Buffer.from(JSON.stringify({ model, text, details })).toString('base64')
}

/**
 * Decodes reasoning sealed for the same model; returns null for that of other models and other
 * gateways, which no provider could read.
 */
export function openReasoning(
  sealed: unknown,
  model: string,
  inner: InnerJson,
): KeptReasoning | null {
  if (typeof sealed !== 'string') return null
  const value = inner.read(Buffer.from(sealed, 'base64').toString('utf8'))?.value
  if (
    !isRecord(value) ||
    value['model'] !== model ||
    typeof value['text'] !== 'string' ||
    !Array.isArray(value['details'])
  )
    return null
  return { text: value['text'], details: value['details'].filter(isRecord) }
}
