import type { Models } from '../models/index.ts'
import type { Providers } from '../providers/index.ts'
import type { RuntimeProxySettings } from './runtime-proxy-settings.ts'
import type { TokenBooks } from './count-tokens.ts'

/** What the proxies are built from. */
export interface RuntimeProxyDependencies {
  readonly providers: Providers
  readonly models: Models
  readonly settings: RuntimeProxySettings
  readonly auth: TokenBooks
  /** Folder for model files on their way. */
  readonly temporaryFolder: string
}
