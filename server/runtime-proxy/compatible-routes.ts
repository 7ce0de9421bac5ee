import { endpoints } from '#contract/endpoints.ts'
import { upstreamFailed } from '../lib/errors.ts'
import { httpRoute, route, type Route } from '../lib/http.ts'
import { listConnections, replaceConnections, KEY_MASK } from './configure-connections.ts'
import { listModels, showModels } from './list-models.ts'
import { passThrough } from './pass-through.ts'
import { relayNative } from './relay-native.ts'
import type { ProxyParts } from './routes.ts'

const table = endpoints.compatibleProxy

async function readConfig({ providers, settings }: ProxyParts) {
  const { urls, keys, configs } = await listConnections(providers.connections, 'compatible')
  return {
    ENABLE_OPENAI_API: settings.get('ENABLE_OPENAI_API'),
    OPENAI_API_BASE_URLS: urls,
    OPENAI_API_KEYS: keys,
    OPENAI_API_CONFIGS: configs,
  }
}

/** Keys are matched to URLs by position; URLs without one have no key. */
function padKeys(
  keys: readonly string[] | null | undefined,
  urls: readonly string[] | null | undefined,
): string[] | undefined {
  if (!keys) return undefined
  return urls ? urls.map((_, place) => keys[place] ?? '') : [...keys]
}

function createConfigRoutes(parts: ProxyParts): Route[] {
  const { connections } = parts.providers
  return [
    route(table.config, () => readConfig(parts)),
    route(table.updateConfig, async ({ body }) => {
      const urls = body.OPENAI_API_BASE_URLS
      const wanted = {
        urls: urls ?? undefined,
        keys: padKeys(body.OPENAI_API_KEYS, urls),
        configs: body.OPENAI_API_CONFIGS ?? undefined,
      }
      await replaceConnections(connections, 'compatible', wanted)
      if (body.ENABLE_OPENAI_API != null)
        await parts.settings.update({ ENABLE_OPENAI_API: body.ENABLE_OPENAI_API })
      return readConfig(parts)
    }),
    route(table.verify, async ({ body: { url, key }, signal }) => {
      const input = {
        kind: 'compatible' as const,
        name: 'This provider',
        url,
        enabled: true,
        prefix_id: '',
        model_ids: [],
        headers: {},
      }
      const given = key && key !== KEY_MASK ? { key } : {}
      const check = await connections.verify({ ...input, timeout_seconds: 30, ...given }, signal)
      if (!check.ok) throw upstreamFailed(check.detail)
      return {
        object: 'list' as const,
        data: check.models.map((id) => ({ id, object: 'model' as const })),
      }
    }),
  ]
}

/** Creates the routes below `/openai` that have their own handling. */
export function createCompatibleRoutes(parts: ProxyParts): Route[] {
  return [
    ...createConfigRoutes(parts),
    route(table.models, ({ caller }) => listModels(parts, 'compatible', { caller })),
    route(table.model, ({ caller, params }) =>
      showModels(parts, 'compatible', { caller, id: params.model_id }),
    ),
    httpRoute(table.chatCompletions, (call) =>
      relayNative(
        parts,
        { ...call, params: undefined, signal: call.signal },
        {
          kind: 'compatible',
          path: '/chat/completions',
          keepsErrors: true,
          isWhole: call.body.stream !== true,
        },
      ),
    ),
  ]
}

/** Creates the routes for everything else below `/openai`, if an administrator allows it. */
export function createPassThroughRoutes(parts: ProxyParts): Route[] {
  const rows = endpoints.passThrough
  return [rows.get, rows.post, rows.remove].map((row) =>
    httpRoute(row, (call) => passThrough(parts, call, row.method)),
  )
}
