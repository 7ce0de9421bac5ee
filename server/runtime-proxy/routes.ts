import { endpoints } from '#contract/endpoints.ts'
import type { RuntimeProxyDependencies } from './proxy-parts.ts'
import { upstreamFailed } from '../lib/errors.ts'
import { httpRoute, route, type Route } from '../lib/http.ts'
import { listConnections, replaceConnections } from './configure-connections.ts'
import { listModels, showModels, type ListedModel } from './list-models.ts'
import { findVersion, listLoaded, listTags } from './list-runtimes.ts'
import { changeModel, copyModel, makeModel, unloadModel } from './manage-models.ts'
import { relayNative, type NativeCall, type NativeRoute } from './relay-native.ts'
import type { Targets } from './targets.ts'

const table = endpoints.runtimeProxy

/** Shared dependencies of the proxy routes. */
export interface ProxyParts extends RuntimeProxyDependencies {
  readonly targets: Targets
}

async function readConfig({ providers, settings }: ProxyParts) {
  const { urls, configs } = await listConnections(providers.connections, 'runtime')
  const isOn = settings.get('ENABLE_LLMHOST_API')
  return {
    ENABLE_OLLAMA_API: isOn,
    OLLAMA_BASE_URLS: urls,
    OLLAMA_API_CONFIGS: configs,
    ENABLE_LLMHOST_API: isOn,
    LLMHOST_BASE_URLS: urls,
    LLMHOST_API_CONFIGS: configs,
  }
}

function createConfigRoutes(parts: ProxyParts): Route[] {
  const { connections } = parts.providers
  return [
    route(table.verify, async ({ body: { url, key }, signal }) => {
      const input = {
        kind: 'runtime' as const,
        name: 'This runtime',
        url,
        enabled: true,
        prefix_id: '',
        model_ids: [],
        headers: {},
      }
      const check = await connections.verify(
        { ...input, timeout_seconds: 30, ...(key && { key }) },
        signal,
      )
      if (!check.ok) throw upstreamFailed(check.detail)
      return { version: check.version ?? '' }
    }),
    route(table.config, () => readConfig(parts)),
    route(table.updateConfig, async ({ body }) => {
      await replaceConnections(connections, 'runtime', {
        urls: body.LLMHOST_BASE_URLS ?? body.OLLAMA_BASE_URLS ?? undefined,
        configs: body.LLMHOST_API_CONFIGS ?? body.OLLAMA_API_CONFIGS ?? undefined,
      })
      const isOn = body.ENABLE_LLMHOST_API ?? body.ENABLE_OLLAMA_API
      if (isOn != null) await parts.settings.update({ ENABLE_LLMHOST_API: isOn })
      return readConfig(parts)
    }),
  ]
}

const toRuntimeModel = ({ id, created, owned_by }: ListedModel) => ({
  id,
  object: 'model' as const,
  created,
  owned_by,
})

function createListRoutes(parts: ProxyParts): Route[] {
  const { targets, settings } = parts
  return [
    route(table.status, () => ({ status: true as const })),
    route(table.tags, ({ caller, params, signal }) =>
      listTags(parts, { caller, index: params.url_idx, signal }),
    ),
    route(table.ps, ({ signal }) => listLoaded(targets, signal)),
    route(table.version, ({ params, signal }) =>
      settings.get('ENABLE_LLMHOST_API')
        ? findVersion(targets.usable('runtime', params.url_idx), signal)
        : { version: false as const },
    ),
    route(table.models, async ({ caller }) => {
      const { object, data } = await listModels(parts, 'runtime', { caller })
      return { object, data: data.map(toRuntimeModel) }
    }),
    route(table.model, async ({ caller, params }) => {
      const found = await showModels(parts, 'runtime', { caller, id: params.model_id })
      return 'data' in found
        ? { object: found.object, data: found.data.map(toRuntimeModel) }
        : toRuntimeModel(found)
    }),
  ]
}

function createCallRoutes(parts: ProxyParts): Route[] {
  const relay = (path: string, options: Omit<NativeRoute, 'kind' | 'path'> = {}) => {
    const target: NativeRoute = { kind: 'runtime', path, ...options }
    return (call: NativeCall) => relayNative(parts, call, target)
  }
  const answer = { expects: 'answer' } as const
  const whole = { isWhole: true, expects: 'document' } as const
  return [
    httpRoute(table.generate, relay('/api/generate', answer)),
    httpRoute(table.chat, relay('/api/chat', answer)),
    httpRoute(table.show, relay('/api/show', whole)),
    httpRoute(table.embed, relay('/api/embed', whole)),
    httpRoute(table.embeddings, relay('/api/embeddings', whole)),
  ]
}

function createManagementRoutes({ targets }: ProxyParts): Route[] {
  const push = (call: NativeCall) => changeModel(targets, call, { path: '/api/push' })
  return [
    httpRoute(table.pull, (call) => makeModel(targets, call, '/api/pull')),
    httpRoute(table.create, (call) => makeModel(targets, call, '/api/create')),
    httpRoute(table.push, push),
    httpRoute(table.pushByDelete, push),
    httpRoute(table.copy, (call) => copyModel(targets, call)),
    httpRoute(table.remove, (call) =>
      changeModel(targets, call, { method: 'DELETE', path: '/api/delete' }),
    ),
    httpRoute(table.unload, (call) => unloadModel(targets, call)),
  ]
}

/** Creates the routes below `/llmhost`. */
export const createRoutes = (parts: ProxyParts): Route[] => [
  ...createConfigRoutes(parts),
  ...createListRoutes(parts),
  ...createCallRoutes(parts),
  ...createManagementRoutes(parts),
]
