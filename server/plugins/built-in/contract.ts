import type { ChatCompletionChunk, ChatCompletionRequest } from '#contract/completions.ts'
import type { EventData, GatewayCall, PluginCall } from '#contract/events.ts'
import type { Caller } from '../../lib/http.ts'
import type { ProviderModel } from '../../providers/index.ts'

type Fields = Readonly<Record<string, unknown>>

/**
 * What every hook of a built-in plugin is given beside its input: what Python plugins name as
 * `__x__` (docs/plugin-contract.md). The input belongs to the gateway and is not changed.
 */
export interface BuiltInCall {
  /** Whose rights everything the hook reads and writes is checked against. */
  readonly caller: Caller
  /** `__metadata__`: one live object from the first filter of a request to its last tool. */
  readonly metadata: Record<string, unknown>
  /** Aborts when the answer is stopped. */
  readonly signal: AbortSignal
  /** The conversation so far; absent for hooks outside of one. */
  readonly messages?: ChatCompletionRequest['messages']
  /** `__event_emitter__`. */
  readonly emit: (event: EventData) => void
  /** `__event_call__`: the answer of the window the request came from; rejects without one. */
  readonly ask: (event: GatewayCall | PluginCall) => Promise<unknown>
}

type ArgumentSchema =
  | { readonly type: 'string' | 'integer'; readonly description: string }
  | {
      readonly type: 'array'
      readonly items: { readonly type: 'string' }
      readonly description: string
    }

/** A function of a built-in tool. Whatever it throws is told to the model. */
export interface BuiltInToolFunction {
  readonly name: string
  readonly description: string
  /** JSON schemas of the arguments: texts, numbers and lists of texts. */
  readonly properties: Readonly<Record<string, ArgumentSchema>>
  readonly required: readonly string[]
  /** False hides it alone; offered with its tool when absent. */
  isOffered?(caller: Caller): Promise<boolean>
  /** A text is told as it is, anything else as JSON. */
  run(args: Fields, call: BuiltInCall): unknown
}

/** A tool the gateway brings along, which needs no Python. */
export interface BuiltInTool {
  /** Begins with `builtin:`. */
  readonly id: string
  readonly name: string
  readonly description: string
  readonly functions: readonly BuiltInToolFunction[]
  /** False hides it, where the feature is off or the person may not use it. */
  isOffered(caller: Caller): Promise<boolean>
}

/** What a pipe gives out: text, or a chunk of a chat completion without its head. */
export type PipeItem = string | { readonly choices: ChatCompletionChunk['choices'] }

interface AboutFunction {
  /** As a function of Python has it; nobody else can take it. */
  readonly id: string
  readonly name: string
  readonly description: string
  /** Whether it is in use before an administrator has switched it. */
  readonly isActive: boolean
}

/** A model whose answers are code. */
export interface BuiltInPipe extends AboutFunction {
  readonly kind: 'pipe'
  /** As lists of models show it. */
  readonly model: ProviderModel
  pipe(body: Fields, call: BuiltInCall): AsyncIterable<PipeItem>
}

/**
 * Looks at requests, chunks and finished conversations; each hook answers what takes the place of
 * what it was given.
 */
export interface BuiltInFilter extends AboutFunction {
  readonly kind: 'filter'
  inlet?(body: Fields, call: BuiltInCall): Fields | Promise<Fields>
  /** Null leaves the chunk out. */
  stream?(chunk: Fields, call: BuiltInCall): Fields | null
  outlet?(body: Fields, call: BuiltInCall): Fields | Promise<Fields>
}

/** A button under messages. What it answers as `messages` changes those. */
export interface BuiltInAction extends AboutFunction {
  readonly kind: 'action'
  action(body: Fields, call: BuiltInCall): Fields | Promise<Fields>
}

/** A function the gateway brings along, which needs no Python. */
export type BuiltInFunction = BuiltInPipe | BuiltInFilter | BuiltInAction
