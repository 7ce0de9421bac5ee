/** Properties of a kind of connection that gateway and interface share. */
export interface ConnectionKindRow {
  /**
   * Name in the form, in English; `npm run generated` writes it, like `mention`, to the file where
   * translators find it.
   */
  readonly label: string
  /** Name within a sentence. */
  readonly mention: string
  /** True for a program that runs models itself and asks for no key. */
  readonly isRuntime: boolean
  /** Base URL shown as an example. */
  readonly exampleUrl: string
  /** Suffixes of URLs copied from examples of calls; the base URL precedes them. */
  readonly calls: RegExp
}

/**
 * All kinds of connections, by the name they are stored and sent under. The gateway's part of each
 * is in `server/providers/kinds.ts`.
 */
export const CONNECTION_KINDS = {
  /** The native API of local runtimes. */
  runtime: {
    label: 'Local model runtime',
    mention: 'local runtime',
    isRuntime: true,
    exampleUrl: 'http://127.0.0.1:11434',
    calls: /\/(api(\/(chat|generate|tags|version|embed|embeddings|show))?|v1(\/.*)?)$/i,
  },
  /** The chat-completions API. */
  compatible: {
    label: 'Provider (chat-completions API)',
    mention: 'chat-completions API',
    isRuntime: false,
    exampleUrl: 'https://api.example.com/v1',
    calls: /\/(chat\/completions|completions|responses|embeddings|models)$/i,
  },
  /** The messages API. */
  messages: {
    label: 'Provider (messages API)',
    mention: 'messages API',
    isRuntime: false,
    exampleUrl: 'https://api.example.com/v1',
    calls: /\/(messages(\/count_tokens)?|models)$/i,
  },
} as const satisfies Readonly<Record<string, ConnectionKindRow>>

export type ConnectionKind = keyof typeof CONNECTION_KINDS

/** The names of all kinds, in the order of the table. */
export const CONNECTION_KIND_NAMES = Object.keys(CONNECTION_KINDS) as [
  ConnectionKind,
  ...ConnectionKind[],
]
