import { endpoints } from '#contract/endpoints.ts'
import type { Prompt } from '#contract/prompts.ts'
import { asJsonList, asJsonPieces, route, type Route } from '../lib/http.ts'
import { toJsonPage } from '../lib/json/json-array.ts'
import type { Prompts } from './prompts.ts'

export function createPromptRoutes(prompts: Prompts): Route[] {
  return [
    ...createLibraryRoutes(prompts),
    ...createVersionRoutes(prompts),
    ...createCommandRoutes(prompts),
  ]
}

function createLibraryRoutes(prompts: Prompts): Route[] {
  return [
    route(endpoints.prompts.list, ({ caller }) => asJsonList(prompts.list(caller))),
    route(endpoints.prompts.page, async ({ caller, query }) =>
      asJsonPieces<{ items: Prompt[]; total: number }>(
        toJsonPage(await prompts.page(caller, query)),
      ),
    ),
    route(endpoints.prompts.tags, ({ caller }) => prompts.tags(caller)),
    route(endpoints.prompts.create, ({ caller, body }) => prompts.create(caller, body)),
    route(endpoints.prompts.get, ({ caller, params }) =>
      prompts.get(caller, { id: params.prompt_id }),
    ),
    route(endpoints.prompts.update, ({ caller, params, body }) =>
      prompts.update(caller, { id: params.prompt_id }, body),
    ),
    route(endpoints.prompts.updateMeta, ({ caller, params, body }) =>
      prompts.updateMeta(caller, params.prompt_id, body),
    ),
    route(endpoints.prompts.toggle, ({ caller, params }) =>
      prompts.toggle(caller, params.prompt_id),
    ),
    route(endpoints.prompts.updateAccess, ({ caller, params, body }) =>
      prompts.updateAccess(caller, params.prompt_id, body),
    ),
    route(endpoints.prompts.remove, ({ caller, params }) =>
      prompts.remove(caller, { id: params.prompt_id }),
    ),
  ]
}

function createVersionRoutes(prompts: Prompts): Route[] {
  return [
    route(endpoints.prompts.updateVersion, ({ caller, params, body }) =>
      prompts.useVersion(caller, params.prompt_id, body.version_id),
    ),
    route(endpoints.prompts.history, async ({ caller, params, query }) =>
      asJsonList(await prompts.history(caller, params.prompt_id, query.page)),
    ),
    route(endpoints.prompts.diff, ({ caller, params, query }) =>
      prompts.compare(caller, params.prompt_id, query),
    ),
    route(endpoints.prompts.version, ({ caller, params }) =>
      prompts.version(caller, params.prompt_id, params.history_id),
    ),
    route(endpoints.prompts.removeVersion, ({ caller, params }) =>
      prompts.removeVersion(caller, params.prompt_id, params.history_id),
    ),
  ]
}

/** Routes of prompts by command, as older clients use them. */
function createCommandRoutes(prompts: Prompts): Route[] {
  return [
    route(endpoints.prompts.getByCommand, ({ caller, params }) => prompts.get(caller, params)),
    route(endpoints.prompts.updateByCommand, ({ caller, params, body }) =>
      prompts.update(caller, params, body),
    ),
    route(endpoints.prompts.removeByCommand, ({ caller, params }) =>
      prompts.remove(caller, params),
    ),
  ]
}
