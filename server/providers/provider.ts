import type { ServerResponse } from 'node:http'
import type { ChatCompletion, ChatCompletionChunk } from '#contract/completions.ts'
import type { ConnectionCheck } from '#contract/connections.ts'
import type { TextCompletion } from '#contract/text-completions.ts'
import type { EmbeddingList, EmbeddingRequest } from '#contract/embeddings.ts'
import type { CallNotes } from '../lib/call-notes.ts'
import type { CallOrigin } from '../lib/call-origin.ts'
import type { ReportedFault, ServiceError } from '../lib/errors.ts'

/** A model as its upstream lists it. */
export interface ProviderModel {
  /** Id as the upstream knows it, without prefix. */
  readonly id: string
  readonly name: string
  readonly created: number
  readonly ownedBy: string
  readonly description: string | null
  readonly contextLength: number | null
  readonly maxOutputTokens: number | null
  /** Map of capability names of the reference (`vision`, `tools`, `reasoning`, …). */
  readonly capabilities: Readonly<Record<string, boolean>>
  /**
   * True for a model that answers with embeddings only, which no list of models to chat with shows.
   */
  readonly embedsOnly?: boolean
  /**
   * True for a model a local runtime only forwards to, so that prompts leave this computer all the
   * same.
   */
  readonly leavesComputer?: boolean
  /** Set for the entries of a pipelines server. */
  readonly pipeline?: PipelineInfo
}

/** A model together with where it comes from. `publicId` carries the prefix of its connection. */
export interface OfferedModel {
  readonly publicId: string
  readonly model: ProviderModel
  readonly provider: Provider
  /** True while its connection does not answer; a call says so. */
  readonly isUnavailable?: boolean
  /** True when its connection lets everybody who signs in use it. */
  readonly isForEverybody?: boolean
}

/** The properties of an entry in the list of a pipelines server. */
export interface PipelineInfo {
  /** A `filter` is no model: it changes the requests and answers of others. */
  readonly type: 'pipe' | 'manifold' | 'filter'
  readonly hasValves: boolean
  /** Ids of the models a filter applies to; `*` stands for all. */
  readonly targets: readonly string[]
  /** Filters run in this order, smaller first. */
  readonly priority: number
}

/**
 * A frame that ends a stream which had already begun: the sentence, a stable code and the status it
 * would have had.
 */
export interface ErrorFrame {
  readonly error: {
    readonly message: string
    readonly code: string
    readonly status: number
    /** What the provider said about it for machines. */
    readonly reported?: ReportedFault | undefined
    /** What windows say about it in sentences of their own. */
    readonly facts?: Readonly<Record<string, unknown>> | undefined
  }
}

export type CompletionFrame = ChatCompletionChunk | ErrorFrame

/** Takes the frames of an answer as they come. */
export interface FrameSink {
  /** Frames that came together. */
  onFrames(frames: readonly CompletionFrame[]): void
  /**
   * Nothing follows. `fault` is what went wrong before the first frame; a later failure is the last
   * frame.
   */
  onEnd(fault: ServiceError | null): void
}

/** An answer whose frames wait for a sink. */
export interface FrameStream {
  /** Hands the frames over, those that are here already at once. */
  read(sink: FrameSink): void
  /** Holds the upstream back until `resume`. */
  pause(): void
  resume(): void
  /** Closes the connection; the sink hears no more. */
  abort(): void
}

/** One completion for an upstream. */
export interface CompletionCall {
  /** Model id as the upstream knows it; replaces `body.model`. */
  readonly model: string
  /** Chat-completions request without the gateway's own fields. */
  readonly body: Readonly<Record<string, unknown>>
  readonly signal: AbortSignal
  /** For providers inside of the gateway, such as pipes; nothing of it ever goes to an upstream. */
  readonly origin?: CallOrigin
  /** Headers for this call besides those of the connection, which win. */
  readonly headers?: Readonly<Record<string, string>>
  /**
   * Takes notes of tries and of what becomes of the fields; absent when the call is not recorded.
   */
  readonly notes?: CallNotes | null
  /**
   * The messages with the text of their documents instead of the documents; present when there are
   * some a provider may refuse.
   */
  readonly withoutDocuments?: () => Promise<readonly unknown[]>
}

/**
 * A stateless call whose frames nobody has to read: request bytes go up and response bytes come
 * down as they are.
 */
export interface RelayCall {
  readonly body: Buffer
  /** Whether the caller asked for a stream; the first byte of a whole answer may take longer. */
  readonly stream?: boolean
  readonly response: ServerResponse
  readonly signal: AbortSignal
  /** Headers for this call besides those of the connection, which win. */
  readonly headers?: Readonly<Record<string, string>>
  /** As those of `CompletionCall`. */
  readonly notes?: CallNotes | null
}

/** A call in the messages format for an upstream that speaks it too. */
export interface MessagesRelayCall extends RelayCall {
  /** Version and features of the format the caller wrote for. */
  readonly headers: Readonly<Record<string, string>>
}

/** An upstream that speaks the messages API, as `relay` is to chat completions. */
export interface MessagesUpstream {
  relay(call: MessagesRelayCall): Promise<void>
  /** Tokens of a request, counted by the upstream. */
  countTokens(body: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<number>
}

/**
 * An upstream that completes plain text, as `stream` and `complete` answer conversations; the body
 * has a `prompt`.
 */
export interface TextUpstream {
  /** Whether one call may hold several prompts, prompts as tokens, and ask for several answers. */
  readonly takesMany: boolean
  /** Chunks whose choices have a `text` beside an empty `delta`. */
  stream(call: CompletionCall): AsyncGenerator<CompletionFrame, void, void>
  complete(call: CompletionCall): Promise<TextCompletion>
}

/** An upstream that may speak the responses API beside chat completions. */
export interface ResponsesUpstream {
  /** False while it is known to have no such path. */
  isWorthAsking(): boolean
  /**
   * Hands a call on as `relay` does; false, with nothing written, where the upstream has no such
   * path.
   */
  relay(call: RelayCall): Promise<boolean>
}

/** Texts or tokens to embed. */
export interface EmbedCall {
  /** Model id as the upstream knows it; replaces `body.model`. */
  readonly model: string
  readonly body: Readonly<EmbeddingRequest>
  readonly signal: AbortSignal
  /** As those of `CompletionCall`. */
  readonly notes?: CallNotes | null
}

/**
 * One upstream of models. Failures before the first frame are thrown as `ServiceError`; after it
 * they travel inside the stream as one last `ErrorFrame`. Aborting ends a stream without a frame and
 * lets the other methods fail with the code `cancelled`. No method ever writes a key to a log or an
 * error.
 */
export interface Provider {
  readonly connectionId: string
  readonly kind: 'runtime' | 'compatible' | 'messages' | 'guide' | 'pipe'
  readonly name: string
  /** `local` when prompts stay on this computer. */
  readonly type: 'local' | 'external'
  listModels(signal: AbortSignal): Promise<ProviderModel[]>
  /**
   * Frames as the upstream sends them; reading slowly slows the upstream; returning early or
   * aborting cancels it.
   */
  stream(call: CompletionCall): AsyncGenerator<CompletionFrame, void, void>
  /**
   * The same stream with the frames that came together handed over together, where a run of text
   * may be one frame; cheaper to read. An abort before the head of the reply fails with the code
   * `cancelled`, a later one ends the stream.
   */
  openFrames?(call: CompletionCall): Promise<FrameStream>
  complete(call: CompletionCall): Promise<ChatCompletion>
  /**
   * Present when the upstream itself speaks chat completions. Resolves when the reply has ended;
   * throws only before its head was written.
   */
  relay?(call: RelayCall): Promise<void>
  /** The same for an upstream that speaks the messages API. */
  readonly messages?: MessagesUpstream
  /** Present when the upstream completes plain text. */
  readonly text?: TextUpstream
  /** The same for an upstream that may speak the responses API. */
  readonly responses?: ResponsesUpstream
  /** Present when the upstream can embed. */
  embed?(call: EmbedCall): Promise<EmbeddingList>
  check(signal: AbortSignal): Promise<ConnectionCheck>
}
