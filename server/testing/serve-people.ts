import { onTestFinished } from 'vitest'
import type { Route } from '../lib/http.ts'
import { createPeople } from './create-people.ts'
import { serveTestRoutes, type TestCall, type TestReply } from './serve-test-routes.ts'

type People = Awaited<ReturnType<typeof createPeople>>

/**
 * Serves the routes of one domain to an administrator, an owner and a friend until the end of the
 * test.
 */
export async function servePeople(createRoutes: (people: People) => readonly Route[]) {
  const people = await createPeople()
  const ids = {
    admin: (await people.addCaller('root', 'admin')).userId,
    owner: (await people.addCaller('owner')).userId,
    friend: (await people.addCaller('friend')).userId,
  }
  const server = await serveTestRoutes(createRoutes(people))
  onTestFinished(() => server.close())
  const as =
    (name: keyof typeof ids) =>
    (path: string, call?: TestCall): Promise<TestReply> =>
      server.call(name === 'admin' ? `admin:${ids.admin}` : ids[name], path, call)
  return { ...people, ids, admin: as('admin'), owner: as('owner'), friend: as('friend') }
}
