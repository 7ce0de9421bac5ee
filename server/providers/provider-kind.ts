import type { ProviderOptions } from './connections/connect-provider.ts'
import type { Provider, ProviderAbilities } from './provider.ts'

/** The gateway's part of a kind of connection; the other part is in the contract. */
export interface ProviderKind {
  readonly create: (options: ProviderOptions) => Provider
  /** Returns the headers of every call to a connection with this key. */
  readonly headers: (key: string | null) => Record<string, string>
  /** Path that lists models, relative to the base URL. */
  readonly modelsPath: string
  /**
   * Path of the base URL under which programs on their usual ports serve this kind; null if it is
   * not searched for.
   */
  readonly localPath: string | null
  /** Setting that enables all connections of the kind; null if there is none. */
  readonly setting: 'ENABLE_LLMHOST_API' | 'ENABLE_OPENAI_API' | null
  readonly abilities: ProviderAbilities
}

/** Returns the header of a key as most servers expect it. */
export const toBearer = (key: string | null): Record<string, string> =>
  key === null ? {} : { authorization: `Bearer ${key}` }
