import type { ChatApi } from './chat-api.ts'

/** Dependencies of the operations of a conversation, besides its store. */
export interface ChatDeps {
  readonly api: ChatApi
  /** Returns the chat parameters this user is permitted to send. */
  permitted(params: Readonly<Record<string, unknown>>): Record<string, unknown>
  /**
   * Returns the gateway features available to the answers, chosen or always active, with their
   * options.
   */
  features(chosen: readonly string[]): Readonly<Record<string, unknown>>
  /**
   * Returns tool servers only this window can reach, as a request names them; waits until their
   * tools are known.
   */
  describeOwn(toolIds: readonly string[]): Promise<Record<string, unknown>[]>
  /** Id of the connected socket; null while disconnected. */
  sessionId(): string | null
  newId(): string
  /** Unix seconds. */
  now(): number
}
