import { filterInOrder } from '../lib/in-order.ts'
import { endpoints } from '#contract/endpoints.ts'
import type { Model, ModelRow } from '#contract/models.ts'
import { badRequest } from '../lib/errors.ts'
import { asJsonList, asJsonPieces, httpRoute, route, type Route } from '../lib/http.ts'
import { toJsonArray, toJsonPage, toTexts } from '../lib/json/json-array.ts'
import { runInTurns } from '../lib/turns.ts'
import type { Providers } from '../providers/index.ts'
import type { ModelFinder } from './find-models.ts'
import { importModels, type ImportDependencies } from './import-models.ts'
import { listTags, pageWorkspace } from './list-workspace.ts'
import { viewFor } from './messages-fields.ts'
import type { ModelSettings } from './model-settings.ts'
import { sendProfileImage } from './profile-image.ts'
import type { ModelViews } from './show-models.ts'
import { unloadModel } from './unload-model.ts'
import type { Workspace } from './workspace.ts'

interface RouteParts {
  readonly providers: Providers
  readonly finder: ModelFinder
  readonly views: ModelViews
  readonly workspace: Workspace
  readonly changes: ImportDependencies
  readonly modelSettings: ModelSettings
}

const table = endpoints.models

export const createModelRoutes = (parts: RouteParts): Route[] => [
  ...createListRoutes(parts),
  ...createWorkspaceRoutes(parts),
  ...createTransferRoutes(parts),
  ...createSettingRoutes(parts),
]

async function* writeList(
  texts: AsyncIterable<string>,
  page: Record<string, unknown>,
): AsyncGenerator<string> {
  yield `${JSON.stringify({ object: 'list', ...page }).slice(0, -1)},"data":`
  yield* toJsonArray(texts)
  yield '}'
}

function createListRoutes({ finder, views, providers }: RouteParts): Route[] {
  return [
    route(table.list, async (call) => {
      const entries = await finder.list(call.caller, call.query)
      const { page, show } = viewFor(call, entries)
      return asJsonPieces<{ object: 'list'; data: Model[] }>(
        writeList(
          toTexts(entries, async (entry) => show(await views.listed(entry))),
          page,
        ),
      )
    }),
    route(table.one, async (call) => {
      const entry = await finder.show(call.caller, call.params.model_id)
      return viewFor(call, [entry]).show(await views.listed(entry))
    }),
    route(table.base, async ({ query }) => ({
      object: 'list' as const,
      data: await finder.listBase(query),
    })),
    route(table.unload, async ({ caller, body, signal }) => {
      await unloadModel(providers, await finder.resolve(caller, body.model), signal)
      return { status: true as const }
    }),
    route(table.info, ({ caller, query }) => views.info(caller, query.id)),
    httpRoute(table.profileImage, async ({ caller, query, response }) => {
      const image = await views.image(caller, query.id)
      sendProfileImage(response, { ...image, id: query.id })
    }),
  ]
}

function requireId(...ids: (string | undefined)[]): string {
  const id = ids.find((each) => each !== undefined)
  if (id === undefined)
    throw badRequest('Say which model is meant by its id.', { code: 'missing_id' })
  return id
}

function createWorkspaceRoutes({ views, workspace }: RouteParts): Route[] {
  return [
    route(table.workspace, async ({ caller, query }) => {
      const page = pageWorkspace(caller, await views.readable(caller), query)
      return asJsonPieces<{ items: ModelRow[]; total: number }>(
        toJsonPage(page, (model) => views.row(caller, model)),
      )
    }),
    route(table.tags, async ({ caller }) => listTags(await views.readable(caller))),
    route(table.create, async ({ caller, body }) =>
      views.row(caller, await workspace.create(caller, body)),
    ),
    route(table.update, async ({ caller, query, body }) =>
      views.row(caller, await workspace.update(caller, requireId(query.id, body.id), body)),
    ),
    route(table.toggle, async ({ caller, query }) =>
      views.row(caller, await workspace.toggle(caller, query.id)),
    ),
    route(table.updateAccess, async ({ caller, body }) =>
      views.row(caller, await workspace.updateAccess(caller, body.id, body)),
    ),
    route(table.remove, ({ caller, query, body }) =>
      workspace.remove(caller, requireId(query.id, body.id)),
    ),
    route(table.removeByQuery, ({ caller, query }) => workspace.remove(caller, query.id)),
    route(table.removeAll, () => workspace.removeAll()),
  ]
}

function createTransferRoutes({ views, changes }: RouteParts): Route[] {
  const { stored, modelAccess } = changes
  return [
    route(table.overrides, ({ caller }) =>
      asJsonList(
        stored.all().filter((model) => model.base_model_id === null),
        (model) => views.row(caller, model),
      ),
    ),
    route(table.export, async ({ caller }) =>
      asJsonList(
        await filterInOrder(stored.all(), (model) => modelAccess.mayWrite(caller, model)),
        (model) => views.row(caller, model),
      ),
    ),
    route(table.import, ({ caller, body }) =>
      runInTurns(importModels(changes, caller, body.models, { replacesAll: false })),
    ),
    route(table.sync, async ({ caller, body }) => {
      await runInTurns(importModels(changes, caller, body.models, { replacesAll: true }))
      return asJsonList(stored.all(), (model) => views.row(caller, model))
    }),
  ]
}

function createSettingRoutes({ modelSettings, changes }: RouteParts): Route[] {
  const { modelAccess } = changes
  return [
    route(table.config, () => modelSettings.config()),
    route(table.updateConfig, ({ body }) => modelSettings.updateConfig(body)),
    route(table.defaults, ({ caller }) =>
      modelSettings.defaults((id) => modelAccess.mayName(caller, id)),
    ),
    route(table.prices, ({ caller }) => modelSettings.prices(modelAccess.lentTo(caller))),
    route(table.updatePrices, ({ body }) => modelSettings.updatePrices(body.prices)),
    route(endpoints.evaluations.config, () => modelSettings.evaluations()),
    route(endpoints.evaluations.updateConfig, ({ body }) => modelSettings.updateEvaluations(body)),
  ]
}
