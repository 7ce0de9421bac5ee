import type { Route } from '../lib/http.ts'
import type { Models } from '../models/index.ts'
import type { Providers } from '../providers/index.ts'
import type { Settings } from '../settings/index.ts'
import { createCompatibleRoutes, createPassThroughRoutes } from './compatible-routes.ts'
import type { TokenBooks } from './count-tokens.ts'
import { createEmbeddingRoutes } from './embedding-routes.ts'
import { createModelFileRoutes } from './model-files/routes.ts'
import { createRoutes } from './routes.ts'
import { createTargets } from './targets.ts'

/**
 * The APIs of connected runtimes and providers, handed through under the gateway's sign-in and
 * model access (reference §7).
 */
export interface RuntimeProxy {
  readonly routes: readonly Route[]
  /** Takes every path below `/openai` that nothing else takes, so it is mounted last. */
  readonly lastRoutes: readonly Route[]
}

/** What the proxies are built from. */
export interface RuntimeProxyDependencies {
  readonly providers: Providers
  readonly models: Models
  readonly settings: Settings
  readonly auth: TokenBooks
  /** Folder for model files on their way. */
  readonly temporaryFolder: string
}

/** Builds the proxies on top of the connections. */
export function createRuntimeProxy(dependencies: RuntimeProxyDependencies): RuntimeProxy {
  const parts = { ...dependencies, targets: createTargets(dependencies) }
  return {
    routes: [
      ...createRoutes(parts),
      ...createModelFileRoutes(parts),
      ...createCompatibleRoutes(parts),
      ...createEmbeddingRoutes(parts),
    ],
    lastRoutes: createPassThroughRoutes(parts),
  }
}
