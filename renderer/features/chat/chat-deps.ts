import type { ChatApi } from './chat-api.ts'

/** What the operations of a conversation need besides its store. */
export interface ChatDeps {
  readonly api: ChatApi
  /** What of a chat's parameters this person may send along. */
  permitted(params: Readonly<Record<string, unknown>>): Record<string, unknown>
  /**
   * What of the gateway's features the answers may use, of those that were chosen and those that
   * always take part, with the options of those that have some.
   */
  features(chosen: readonly string[]): Readonly<Record<string, unknown>>
  /**
   * Tool servers only this window reaches, as a request names them; waits until it is known what
   * they offer.
   */
  describeOwn(toolIds: readonly string[]): Promise<Record<string, unknown>[]>
  /** Id of the live socket; null while there is none. */
  sessionId(): string | null
  newId(): string
  /** Unix seconds. */
  now(): number
}
