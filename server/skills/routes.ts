import { endpoints } from '#contract/endpoints.ts'
import type { Skill } from '#contract/skills.ts'
import { asJsonList, asJsonPieces, httpRoute, route, type Route } from '../lib/http.ts'
import { toJsonPage } from '../lib/json/json-array.ts'
import type { Skills } from './skills.ts'

export function createSkillRoutes(skills: Skills): Route[] {
  return [...createLibraryRoutes(skills), ...createFileRoutes(skills)]
}

function createLibraryRoutes(skills: Skills): Route[] {
  return [
    route(endpoints.skills.list, ({ caller }) => asJsonList(skills.list(caller))),
    route(endpoints.skills.page, async ({ caller, query }) =>
      asJsonPieces<{ items: Skill[]; total: number }>(toJsonPage(await skills.page(caller, query))),
    ),
    route(endpoints.skills.export, ({ caller }) => asJsonList(skills.export(caller))),
    route(endpoints.skills.create, ({ caller, body }) => skills.create(caller, body)),
    route(endpoints.skills.get, async ({ caller, params }) => ({
      ...(await skills.get(caller, params.skill_id)),
      user: null,
    })),
    route(endpoints.skills.update, ({ caller, params, body }) =>
      skills.update(caller, params.skill_id, body),
    ),
    route(endpoints.skills.updateAccess, ({ caller, params, body }) =>
      skills.updateAccess(caller, params.skill_id, body),
    ),
    route(endpoints.skills.toggle, ({ caller, params }) => skills.toggle(caller, params.skill_id)),
    route(endpoints.skills.remove, ({ caller, params }) => skills.remove(caller, params.skill_id)),
  ]
}

function createFileRoutes(skills: Skills): Route[] {
  return [
    httpRoute(endpoints.skills.import, ({ caller, request }) => skills.import(caller, request)),
    httpRoute(endpoints.skills.download, ({ caller, params, response }) =>
      skills.sendArchive(caller, params.skill_id, response),
    ),
    httpRoute(endpoints.skills.readFile, ({ caller, params, query, response }) =>
      skills.sendFile(caller, { id: params.skill_id, path: query.path }, response),
    ),
    route(endpoints.skills.writeFile, ({ caller, params, body }) =>
      skills.writeFile(caller, params.skill_id, {
        path: body.path,
        content: Buffer.from(body.content, 'base64'),
      }),
    ),
    route(endpoints.skills.removeFile, ({ caller, params, query }) =>
      skills.removeFile(caller, params.skill_id, query.path),
    ),
  ]
}
