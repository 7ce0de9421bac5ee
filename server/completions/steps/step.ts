import type { ChatCompletionRequest } from '#contract/completions.ts'
import type { Caller } from '../../lib/http.ts'
import type { ResolvedModel } from '../../models/index.ts'

type Request = ChatCompletionRequest
type Change = (request: Request) => Request | Promise<Request>

/** What a step may look at besides the request. Functions that are absent have nothing to do. */
export interface StepContext {
  readonly caller: Pick<Caller, 'name' | 'email'>
  readonly now: Date
  /**
   * What the editors of the model asked preset; read when it is needed, as an inlet may choose
   * another model on the way.
   */
  readonly preset: () => ResolvedModel['preset']
  /** Messages of the stored thread up to the question, oldest first; empty for a stateless call. */
  readonly thread: () => Request['messages'] | Promise<Request['messages']>
  /**
   * System prompts of the place of the conversation, such as its folder, and of features;
   * templates, the first one in front.
   */
  readonly prompts?: () => readonly string[]
  /**
   * What the person told about themselves, by the names templates use; read when a template is
   * filled.
   */
  readonly about?: () => ReadonlyMap<string, string>
  /** Facts about the person that fit a question. */
  readonly recall?: (question: string) => Promise<readonly string[]>
  /** Puts calls of tools in the place of the blocks that show them. */
  readonly restore?: Change
  /** The inlets of the filters in force. */
  readonly filter?: Change
  /** Offers the tools of the request to the model, or uses them on its behalf. */
  readonly equip?: Change
  /** Puts the bytes of attached pictures where the request only names them. */
  readonly show?: Change
  /** Makes the picture that is asked for, before a model answers that cannot ask for it. */
  readonly draw?: Change
  /** Gives the model what it is to read. */
  readonly inform?: Change
  /** Puts the text of documents in where their provider cannot read them. */
  readonly readDocuments?: Change
}

/**
 * One change to a request on its way to the model; answers the same object when there is nothing to
 * do.
 */
export type Step = (request: Request, context: StepContext) => Request | Promise<Request>
