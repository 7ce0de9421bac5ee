import type { Route } from '../lib/http.ts'
import { createCompatibleRoutes, createPassThroughRoutes } from './compatible-routes.ts'
import { createEmbeddingRoutes } from './embedding-routes.ts'
import { createBlobRoutes } from './model-files/blob-routes.ts'
import { createModelFileRoutes } from './model-files/routes.ts'
import { createRoutes } from './routes.ts'
import { Targets } from './targets.ts'
import type { RuntimeProxyDependencies } from './proxy-parts.ts'

/**
 * The APIs of connected runtimes and providers, relayed subject to the gateway's sign-in and model
 * access.
 */
export class RuntimeProxy {
  readonly routes: readonly Route[]
  /** Handles every path below `/openai` without another route, so it is mounted last. */
  readonly lastRoutes: readonly Route[]

  constructor(dependencies: RuntimeProxyDependencies) {
    const parts = { ...dependencies, targets: new Targets(dependencies) }
    this.routes = [
      ...createRoutes(parts),
      ...createModelFileRoutes(parts),
      ...createBlobRoutes(parts),
      ...createCompatibleRoutes(parts),
      ...createEmbeddingRoutes(parts),
    ]
    this.lastRoutes = createPassThroughRoutes(parts)
  }
}
