/** One action of a fake upstream during an answer; each fake writes it in its own format. */
export type Step =
  | { readonly kind: 'content'; readonly text: string }
  | { readonly kind: 'reasoning'; readonly text: string }
  | {
      readonly kind: 'tool'
      readonly name: string
      readonly arguments: Readonly<Record<string, unknown>>
      /** For scripts with more than one call; runtimes have none. */
      readonly id?: string
    }
  | { readonly kind: 'usage'; readonly prompt: number; readonly completion: number }
  | { readonly kind: 'wait'; readonly milliseconds: number }
  /** Sends nothing more before this settles. */
  | { readonly kind: 'until'; readonly settled: Promise<unknown> }
  /** Sent unchanged, whatever the format. */
  | { readonly kind: 'raw'; readonly bytes: string | Buffer }
  /** Fails within the stream, in the format of the upstream. */
  | { readonly kind: 'error'; readonly message: string }
  /** Sends nothing more and keeps the connection open. */
  | { readonly kind: 'stall' }
  /** Closes the connection in the middle of the answer. */
  | { readonly kind: 'cut' }

/** Response of a fake upstream: a script of steps, or a plain response such as an error status. */
export type Reply =
  | { readonly steps: readonly Step[] }
  | {
      readonly status: number
      readonly headers?: Readonly<Record<string, string>>
      readonly body: string
    }

export interface ScriptInput {
  readonly model: string
  readonly messages: readonly { role?: unknown; content?: unknown; images?: unknown }[]
  readonly stream: boolean
  readonly body: Readonly<Record<string, unknown>>
}

export type Script = (input: ScriptInput) => Reply | Promise<Reply>

/** Returns the text of a message whose content is a string or a list of parts. */
export function textOf(content: unknown): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return content
    .map((part: { text?: unknown }) => (typeof part?.text === 'string' ? part.text : ''))
    .join('')
}

/** Returns the text of the last user message. */
export function lastUserText(input: ScriptInput): string {
  return textOf(input.messages.findLast((message) => message.role === 'user')?.content)
}

/**
 * Splits a text into chunks of a few characters, as models send them; joined they equal the text.
 */
export function toPieces(text: string): Step[] {
  return (text.match(/\s*\S+|\s+$/g) ?? []).map((piece) => ({ kind: 'content', text: piece }))
}
