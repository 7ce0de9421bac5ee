/** Composer actions available to the parts of a conversation. */
export interface ComposerActions {
  /** Sends a text immediately. */
  readonly send: (text: string) => void
  /** Puts a text into the box. */
  readonly propose: (text: string) => void
  /** Appends a text to the contents of the box, unless they end with it. */
  readonly quote: (text: string) => void
}

/**
 * Returns functions that stay the same while a conversation is shown, regardless of re-renders;
 * they delegate to the last connected actions.
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
