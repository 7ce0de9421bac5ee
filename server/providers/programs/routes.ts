import { endpoints } from '#contract/endpoints.ts'
import { route, type Route } from '../../lib/http.ts'
import type { LocalPrograms } from './local-programs.ts'

export function createProgramRoutes(programs: LocalPrograms): Route[] {
  const table = endpoints.programs
  return [
    route(table.list, () => programs.list()),
    route(table.start, ({ params }) => programs.start(params.program_id)),
    route(table.stop, ({ params }) => programs.stop(params.program_id)),
  ]
}
