import type { Models } from '../models/index.ts'
import type { Providers } from '../providers/index.ts'
import type { RuntimeProxySettings } from './runtime-proxy-settings.ts'
import type { TokenBooks } from './count-tokens.ts'

/** Dependencies of the proxies. */
export interface RuntimeProxyDependencies {
  readonly providers: Providers
  readonly models: Models
  readonly settings: RuntimeProxySettings
  readonly auth: TokenBooks
  /** Folder for temporary model files. */
  readonly temporaryFolder: string
}
