import type { ChatApi } from './chat-api.ts'

/** What the operations of a conversation need besides its store. */
export interface ChatDeps {
  readonly api: ChatApi
  /** What of a chat's parameters this person may send along. */
  permitted(params: Readonly<Record<string, unknown>>): Record<string, unknown>
  /** What of the gateway's features the answers may use. */
  features(): Readonly<Record<string, boolean>>
  /** Id of the live socket; null while there is none. */
  sessionId(): string | null
  newId(): string
  /** Unix seconds. */
  now(): number
}
