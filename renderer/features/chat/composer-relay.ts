/** What the parts of a conversation may ask of its composer. */
export interface ComposerActions {
  /** Sends a text at once. */
  readonly send: (text: string) => void
  /** Puts a text into the box. */
  readonly propose: (text: string) => void
  /** Puts a quotation below what is already in the box. */
  readonly quote: (text: string) => void
}

/**
 * The same functions for as long as a conversation is shown, whatever is drawn anew; they act
 * on what was connected last.
 */
export function createComposerRelay(): ComposerActions & {
  readonly connect: (actions: ComposerActions) => void
} {
  let connected: ComposerActions | null = null
  return {
    send: (text) => connected?.send(text),
    propose: (text) => connected?.propose(text),
    quote: (text) => connected?.quote(text),
    connect: (actions) => {
      connected = actions
    },
  }
}
