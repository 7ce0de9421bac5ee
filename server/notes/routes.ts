import { endpoints } from '#contract/endpoints.ts'
import type { Note } from '#contract/notes.ts'
import { asJsonList, asJsonPieces, route, type Route } from '../lib/http.ts'
import { toJsonPage } from '../lib/json/json-array.ts'
import type { Notes } from './notes.ts'

export function createNoteRoutes(notes: Notes): Route[] {
  return [
    route(endpoints.notes.list, ({ caller, query }) => asJsonList(notes.list(caller, query))),
    route(endpoints.notes.pinned, ({ caller }) =>
      asJsonList(notes.list(caller, { pinnedOnly: true })),
    ),
    route(endpoints.notes.search, async ({ caller, query }) =>
      asJsonPieces<{ items: Note[]; total: number }>(toJsonPage(await notes.search(caller, query))),
    ),
    route(endpoints.notes.create, ({ caller, body }) => notes.create(caller, body)),
    route(endpoints.notes.get, ({ caller, params }) => notes.get(caller, params.note_id)),
    route(endpoints.notes.update, ({ caller, params, body }) =>
      notes.update(caller, params.note_id, body),
    ),
    route(endpoints.notes.updateAccess, ({ caller, params, body }) =>
      notes.update(caller, params.note_id, body),
    ),
    route(endpoints.notes.pin, ({ caller, params }) => notes.togglePin(caller, params.note_id)),
    route(endpoints.notes.remove, ({ caller, params }) => notes.remove(caller, params.note_id)),
  ]
}
