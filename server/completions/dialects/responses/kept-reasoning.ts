import { isRecord } from '../../../lib/is-record.ts'

type Fields = Record<string, unknown>

/**
 * Thoughts of a model: in the open, and what its provider wants back unread, such as signatures and
 * sealed blocks.
 */
export interface KeptReasoning {
  readonly text: string
  readonly details: readonly Fields[]
}

/**
 * Thoughts as text only the gateway reads, for callers who keep a conversation themselves. It hides
 * nothing: what is secret in it was sealed by the provider.
 */
export function sealReasoning({ text, details }: KeptReasoning, model: string): string {
  return Buffer.from(JSON.stringify({ model, text, details })).toString('base64')
}

/**
 * Thoughts sealed for the same model; null for those of other models and of other gateways, which
 * no provider could read.
 */
export function openReasoning(sealed: unknown, model: string): KeptReasoning | null {
  if (typeof sealed !== 'string') return null
  try {
    const value: unknown = JSON.parse(Buffer.from(sealed, 'base64').toString('utf8'))
    if (
      !isRecord(value) ||
      value['model'] !== model ||
      typeof value['text'] !== 'string' ||
      !Array.isArray(value['details'])
    )
      return null
    return { text: value['text'], details: value['details'].filter(isRecord) }
  } catch {
    return null
  }
}
