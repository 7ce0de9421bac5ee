import { randomUUID } from 'node:crypto'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Chats, type ChatsDependencies } from '../../server/chats/index.ts'
import type { Route } from '../../server/lib/http.ts'
import { openStorage } from '../../server/storage/index.ts'
import { Tasks } from '../../server/tasks/index.ts'

const NO_GRANTS: ChatsDependencies['access'] = {
  allows: async () => false,
  describe: async () => ({ access_grants: [], access_control: {} }),
  replace: async () => undefined,
  remove: async () => undefined,
}

const BOUNDS: Pick<
  ChatsDependencies,
  'mostChanges' | 'mostEventCharacters' | 'mostMessages' | 'recordBounds'
> = {
  mostMessages: () => 100_000,
  mostChanges: () => 100_000,
  recordBounds: () => ({ values: 50_000, characters: 8 * 1024 * 1024 }),
  mostEventCharacters: () => 8 * 1024 * 1024,
}

/** Opens the chats on a database file, without a server. */
export async function openChats(file: string) {
  const storage = openStorage({ path: file })
  const chats = await Chats.open({
    storage,
    tasks: new Tasks(),
    ...BOUNDS,
    events: { limits: { requireFit: () => undefined }, emit: () => undefined },
    access: NO_GRANTS,
    groups: { allows: async () => true },
    dataDir: path.join(tmpdir(), randomUUID()),
  })

  /** Runs a route between parsing and sending; returns the reply as JSON text. */
  const callRoute = async (
    id: string,
    call: { userId: string; params: object; query: object },
  ): Promise<string> => {
    const { handler } = chats.routes.find((route: Route) => route.endpoint.id === id)!
    const reply = (await handler({ ...call, caller: { userId: call.userId } } as never)) as
      | { text: string }
      | { pieces: Iterable<string> | AsyncIterable<string> }
    return 'text' in reply ? reply.text : (await Array.fromAsync(reply.pieces)).join('')
  }
  return { storage, chats, callRoute }
}
