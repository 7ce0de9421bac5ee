import { randomUUID } from 'node:crypto'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createChats } from '../../server/chats/index.ts'
import type { Route } from '../../server/lib/http.ts'
import { openStorage } from '../../server/storage/index.ts'
import { Tasks } from '../../server/tasks/index.ts'

/** Chats on a database file, without anybody listening. */
export function openChats(file: string) {
  const storage = openStorage({ path: file })
  const chats = createChats({
    storage,
    tasks: new Tasks(),
    mostMessages: () => 100_000,
    mostChanges: () => 100_000,
    recordBounds: () => ({ values: 50_000, characters: 8 * 1024 * 1024 }),
    mostEventCharacters: () => 8 * 1024 * 1024,
    events: { requireFit: () => undefined, emit: () => undefined },
    access: {
      allows: () => false,
      describe: () => ({ access_grants: [], access_control: {} }),
      replace: () => undefined,
      remove: () => undefined,
    },
    groups: { allows: () => true },
    dataDir: path.join(tmpdir(), randomUUID()),
  })

  /** What a route does between parsing and sending; the reply is its JSON text. */
  const callRoute = (
    id: string,
    call: { userId: string; params: object; query: object },
  ): string => {
    const { handler } = chats.routes.find((route: Route) => route.endpoint.id === id)!
    const reply = handler({ ...call, caller: { userId: call.userId } } as never) as
      | { text: string }
      | { pieces: Iterable<string> }
    return 'text' in reply ? reply.text : [...reply.pieces].join('')
  }
  return { storage, chats, callRoute }
}
