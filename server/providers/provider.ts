import type { ServerResponse } from 'node:http'
import type { ChatCompletion, ChatCompletionChunk } from '#contract/completions.ts'
import type { ConnectionKind } from '#contract/connection-kinds.ts'
import type { ConnectionCheck } from '#contract/connections.ts'
import type { TextCompletion } from '#contract/text-completions.ts'
import type { EmbeddingList, EmbeddingRequest } from '#contract/embeddings.ts'
import type { CallNotes } from '../lib/serving/call-notes.ts'
import type { CallOrigin } from '../lib/call-origin.ts'
import type { CallWait } from '../lib/outgoing/call-wait.ts'
import type { ReportedFault, ServiceError } from '../lib/errors.ts'

/** Model as its upstream lists it. */
export interface ProviderModel {
  /** Id as the upstream knows it, without prefix. */
  readonly id: string
  readonly name: string
  /** Other ids to which a call may refer. */
  readonly otherIds?: readonly string[]
  readonly created: number
  readonly ownedBy: string
  readonly description: string | null
  readonly contextLength: number | null
  readonly maxOutputTokens: number | null
  /** Map of the reference system's capability names (`vision`, `tools`, `reasoning`, …). */
  readonly capabilities: Readonly<Record<string, boolean>>
  /** True for a model that only returns embeddings; lists of chat models do not include it. */
  readonly embedsOnly?: boolean
  /** True for one of these that ranks texts instead; lists of embedding models do not include it. */
  readonly ranksOnly?: boolean
  /**
   * True for a model a local runtime only forwards to, so that prompts leave this computer
   * nevertheless.
   */
  readonly leavesComputer?: boolean
  /** Set for the entries of a pipelines server. */
  readonly pipeline?: PipelineInfo
}

/** Model together with its origin. `publicId` includes the prefix of its connection. */
export interface OfferedModel {
  readonly publicId: string
  readonly model: ProviderModel
  readonly provider: Provider
  /** True while its connection does not respond; calls report this. */
  readonly isUnavailable?: boolean
  /** True if its connection is open to all signed-in users. */
  readonly isForEverybody?: boolean
}

/** Properties of an entry in the list of a pipelines server. */
export interface PipelineInfo {
  /** A `filter` is not a model: it changes the requests and answers of others. */
  readonly type: 'pipe' | 'manifold' | 'filter'
  /** Ids of the models a filter applies to; `*` stands for all. */
  readonly targets: readonly string[]
  /** Filters run in ascending order of this value. */
  readonly priority: number
}

/**
 * Frame that ends a started stream with an error: the message, a stable code and the status it
 * would have had.
 */
export interface ErrorFrame {
  readonly error: {
    readonly message: string
    readonly code: string
    readonly status: number
    /** Machine-readable error details of the provider. */
    readonly reported?: ReportedFault
    /** Values that windows insert into their own messages about it. */
    readonly facts?: Readonly<Record<string, unknown>>
  }
}

export type CompletionFrame = ChatCompletionChunk | ErrorFrame

/** Receives the frames of an answer as they arrive. */
export interface FrameSink {
  /** Called with frames that arrived together. */
  onFrames(frames: readonly CompletionFrame[]): void
  /**
   * Called at the end. `fault` is an error before the first frame; a later failure is the last
   * frame.
   */
  onEnd(fault: ServiceError | null): void
}

/** Answer whose frames wait for a sink. */
export interface FrameStream {
  /** Passes the frames to the sink, available ones at once. */
  read(sink: FrameSink): void
  /** Pauses the upstream until `resume`. */
  pause(): void
  resume(): void
  /** Closes the connection; the sink is not called again. */
  abort(): void
}

/** A completion call to an upstream. */
export interface CompletionCall {
  /** Model id as the upstream knows it; replaces `body.model`. */
  readonly model: string
  /** Chat-completions request without the gateway's own fields. */
  readonly body: Readonly<Record<string, unknown>>
  readonly signal: AbortSignal
  /** For providers inside the gateway, such as pipes; never sent to an upstream. */
  readonly origin?: CallOrigin
  /** Headers for this call in addition to those of the connection, which take precedence. */
  readonly headers?: Readonly<Record<string, string>>
  /** Records attempts and the treatment of fields; absent if the call is not recorded. */
  readonly notes?: CallNotes | null
  /**
   * Returns the messages with the text of their documents instead of the documents; present if they
   * contain documents a provider may reject.
   */
  readonly withoutDocuments?: () => Promise<readonly unknown[]>
  /** Called before the first frame by a provider that knows why its caller waits. */
  readonly onWait?: (wait: CallWait) => void
}

/**
 * Stateless call whose frames need not be read: request and response bytes are relayed unchanged.
 */
export interface RelayCall {
  readonly body: Buffer
  /** True if the caller asked for a stream; the first byte of a whole answer may take longer. */
  readonly stream?: boolean
  readonly response: ServerResponse
  readonly signal: AbortSignal
  /** Headers for this call in addition to those of the connection, which take precedence. */
  readonly headers?: Readonly<Record<string, string>>
  /** See `CompletionCall`. */
  readonly notes?: CallNotes | null
}

/** Call in the messages format for an upstream that also speaks it. */
export interface MessagesRelayCall extends RelayCall {
  /** Version and features of the format used by the caller. */
  readonly headers: Readonly<Record<string, string>>
}

/** Upstream that speaks the messages API; the counterpart of `relay` for chat completions. */
export interface MessagesUpstream {
  relay(call: MessagesRelayCall): Promise<void>
  /** Resolves with the number of tokens of a request, counted by the upstream. */
  countTokens(body: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<number>
}

/**
 * Upstream that completes plain text; the counterpart of `stream` and `complete` for conversations.
 * The body has a `prompt`.
 */
export interface TextUpstream {
  /**
   * True if one call may hold several prompts or prompts as tokens, and request several answers.
   */
  readonly takesMany: boolean
  /** Yields chunks whose choices have a `text` beside an empty `delta`. */
  stream(call: CompletionCall): AsyncGenerator<CompletionFrame, void, void>
  complete(call: CompletionCall): Promise<TextCompletion>
}

/** Upstream that may speak the responses API in addition to chat completions. */
export interface ResponsesUpstream {
  /** Returns false while it is known to have no such path. */
  isWorthAsking(): boolean
  /**
   * Relays a call like `relay`; resolves with false, with nothing written, if the upstream has no
   * such path.
   */
  relay(call: RelayCall): Promise<boolean>
}

/** Texts or tokens to embed. */
export interface EmbedCall {
  /** Model id as the upstream knows it; replaces `body.model`. */
  readonly model: string
  readonly body: Readonly<EmbeddingRequest>
  readonly signal: AbortSignal
  /** See `CompletionCall`. */
  readonly notes?: CallNotes | null
}

/** Properties of a provider that change how an answer is prepared or delivered. */
export interface ProviderAbilities {
  /**
   * Forms of documents that are sent as they are; documents in other forms are replaced by their
   * text.
   */
  readonly documents: readonly ('id' | 'url' | 'pdf')[] | 'all'
  /**
   * True if its models continue the last message when that is an answer, as a local runtime does,
   * which fills the template of the model itself. With the other formats some models do so, some
   * start a new answer and some reject the request, and the format does not tell which.
   */
  readonly continuesAnswers: boolean
  /** True if it sends the token counts in a frame of their own after the finish reason. */
  readonly countsApart: boolean
}

/** Texts to be scored for a query. */
export interface RankCall {
  /** Model id as the upstream knows it. */
  readonly model: string
  readonly query: string
  readonly texts: readonly string[]
  readonly signal: AbortSignal
}

/** Relevance of texts to a query. */
export interface RankedTexts {
  /** One score for each text, in the order of the texts. */
  readonly scores: readonly number[]
  /** Tokens read; 0 if the upstream does not count them. */
  readonly tokens: number
}

/**
 * Upstream that serves models. Failures before the first frame are thrown as `ServiceError`; later
 * ones are sent inside the stream as one last `ErrorFrame`. Aborting ends a stream without a frame
 * and lets the other methods fail with the code `cancelled`. No method ever writes a key to a log
 * or an error.
 */
export interface Provider {
  readonly connectionId: string
  readonly kind: ConnectionKind | 'guide' | 'pipe'
  readonly name: string
  /** `local` if prompts stay on this computer. */
  readonly type: 'local' | 'external'
  readonly abilities: ProviderAbilities
  listModels(signal: AbortSignal): Promise<ProviderModel[]>
  /**
   * Yields frames as the upstream sends them; a slow reader slows the upstream; returning early or
   * aborting cancels it.
   */
  stream(call: CompletionCall): AsyncGenerator<CompletionFrame, void, void>
  /**
   * Opens the same stream, with frames that arrived together delivered together and runs of text
   * possibly joined into one frame; cheaper to read. An abort before the head of the reply fails
   * with the code `cancelled`, a later one ends the stream.
   */
  openFrames?(call: CompletionCall): Promise<FrameStream>
  complete(call: CompletionCall): Promise<ChatCompletion>
  /**
   * Present if the upstream itself speaks chat completions. Resolves when the reply has ended;
   * throws only before its head was written.
   */
  relay?(call: RelayCall): Promise<void>
  /** Present if the upstream speaks the messages API. */
  readonly messages?: MessagesUpstream
  /** Present if the upstream completes plain text. */
  readonly text?: TextUpstream
  /** Present if the upstream may speak the responses API. */
  readonly responses?: ResponsesUpstream
  /** Present if the upstream supports embeddings. */
  embed?(call: EmbedCall): Promise<EmbeddingList>
  /** Present if the upstream may have models that rank texts. */
  rank?(call: RankCall): Promise<RankedTexts>
  check(signal: AbortSignal): Promise<ConnectionCheck>
}
