import { admin, owned, user, type MatrixRow } from './matrix-row.ts'
import type { World } from './create-world.ts'

/** Creates a chat of the owner within a snapshot. */
async function chatInSnapshot({ server, tokens }: World) {
  const post = async (path: string, token: string, body?: unknown): Promise<{ id: string }> =>
    (await (await server.call('POST', path, { token, body })).json()) as { id: string }
  const chat = await post('/api/v1/chats/new', tokens.owner, { chat: { title: 'Kept' } })
  const snapshot = await post('/api/v1/snapshots/', tokens.admin)
  return { snapshot_id: snapshot.id, chat_id: chat.id }
}

const NONE = { snapshot_id: 'none', chat_id: 'none' }

export const timeMachineRows: Readonly<Record<string, MatrixRow>> = {
  'timeMachine.list': user(),
  'timeMachine.take': admin(),
  'timeMachine.remove': admin({ status: 404, params: () => NONE }),
  'timeMachine.contents': { ...user(404), params: () => NONE },
  'timeMachine.chat': owned(chatInSnapshot),
  'timeMachine.bringEverythingBack': admin({ status: 404, params: () => NONE }),
  'timeMachine.bringBack': { ...user(404, { kind: 'chat', id: 'none' }), params: () => NONE },
}
