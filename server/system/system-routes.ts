import { mapInOrder } from '../lib/in-order.ts'
import { createHash } from 'node:crypto'
import { allEndpoints, endpoints } from '#contract/endpoints.ts'
import type { Context } from '../context.ts'
import { describeApp, describeSearch } from './describe-app.ts'
import { describeGateway } from './describe-gateway.ts'
import { forbidden, unavailable } from '../lib/errors.ts'
import { httpRoute, route, type Caller, type Route } from '../lib/http.ts'
import { stepsToRoot } from '../lib/serving/steps-to-root.ts'
import { reachDatabase } from './reach-database.ts'
import { readChangelog } from './read-changelog.ts'

/** Creates the health, bootstrap and description endpoints, which belong to no domain. */
export function createSystemRoutes(context: Context, state: { isReady: () => boolean }): Route[] {
  const { config, settings } = context
  return [
    ...createHealthRoutes(context, state),
    route(endpoints.system.version, () => ({
      version: config.apiVersion,
      product_version: config.productVersion,
      deployment_id: '',
    })),
    route(endpoints.system.versionUpdates, () => ({
      current: config.productVersion,
      latest: config.productVersion,
    })),
    route(endpoints.system.changelog, () => readChangelog()),
    route(endpoints.system.usage, ({ caller }) => describeUsage(context, caller)),
    httpRoute(endpoints.system.config, ({ caller, request }) =>
      describeGateway(context, caller, request),
    ),
    route(endpoints.system.manifest, () => describeApp(settings)),
    httpRoute(endpoints.system.opensearch, ({ request, response }) => {
      response.writeHead(200, {
        'Content-Type': 'application/opensearchdescription+xml; charset=utf-8',
        'Cache-Control': 'no-store',
      })
      response.end(describeSearch(settings, request))
    }),
    route(endpoints.system.gravatar, ({ query }) => {
      const hash = createHash('sha256').update(query.email).digest('hex')
      return `https://www.gravatar.com/avatar/${hash}?d=mp`
    }),
    httpRoute(endpoints.system.watch, ({ query, request, response }) => {
      const root = stepsToRoot((request.url ?? '/').split('?', 1)[0]!)
      response.writeHead(302, {
        Location: query.v ? `${root}?youtube=${encodeURIComponent(query.v)}` : root,
      })
      response.end()
    }),
    createOpenApiRoute(context),
  ]
}

function createHealthRoutes(
  { storage }: Context,
  { isReady }: { isReady: () => boolean },
): Route[] {
  return [
    // A service manager that restarts unhealthy gateways must not restart all of them while a
    // database server is unavailable.
    route(endpoints.system.health, () =>
      storage.engine === 'postgres' ? { status: true as const } : pingDatabase(storage),
    ),
    route(endpoints.system.healthDatabase, () => pingDatabase(storage)),
    route(endpoints.system.ready, () => {
      if (!isReady()) throw unavailable('The gateway is not ready.')
      return reachDatabase(storage)
    }),
  ]
}

async function pingDatabase(storage: Context['storage']): Promise<{ status: true }> {
  try {
    await storage.ping()
  } catch (cause) {
    throw unavailable('The database does not answer.', { code: 'database_unavailable', cause })
  }
  return { status: true }
}

/** The description of the API; in development it can be read without signing in. */
function createOpenApiRoute({ config, settings }: Context): Route {
  const { openapi } = endpoints.system
  return route(config.isDevelopment ? { ...openapi, auth: 'none' as const } : openapi, async () => {
    const { createOpenApiDocument } = await import('../http/openapi.ts')
    return createOpenApiDocument(allEndpoints, {
      title: settings.get('WEBUI_NAME'),
      version: config.productVersion,
      keyHeader: settings.get('CUSTOM_API_KEY_HEADER'),
    })
  })
}

async function describeUsage(context: Context, { role }: Caller) {
  if (role !== 'admin' && !context.settings.get('ENABLE_PUBLIC_ACTIVE_USERS_COUNT'))
    throw forbidden('The number of active users is shown to administrators only.', {
      code: 'feature_off',
    })
  return {
    model_ids: await findAnsweringModels(context),
    user_count: await context.users.countActive(),
  }
}

/** Returns the ids of the models that are writing an answer into a chat. */
async function findAnsweringModels({ chats, tasks }: Context): Promise<string[]> {
  const models = await mapInOrder(
    tasks.list(),
    async ({ chatId, messageId }) =>
      chatId && messageId && (await chats.message(chatId, messageId))?.model,
  )
  return [...new Set(models.filter((model) => typeof model === 'string'))]
}
