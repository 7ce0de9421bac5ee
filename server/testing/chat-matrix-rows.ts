import { CHAT_BODY, type World } from './create-world.ts'
import { admin, owned, user, type MatrixRow } from './matrix-row.ts'

let counter = 0

const chat = async (world: World) => ({ chat_id: await world.newChat() })
const trashedChat = async (world: World) => {
  const params = await chat(world)
  await world.server.call('DELETE', `/api/v1/chats/${params.chat_id}`, {
    token: world.tokens.owner,
  })
  return params
}
const message = async (world: World) => ({ chat_id: await world.newChat(), message_id: 'm1' })
const share = async (world: World) => {
  const { chat_id } = await chat(world)
  const reply = await world.server.call('POST', `/api/v1/chats/${chat_id}/share`, {
    token: world.tokens.owner,
  })
  return { share_id: ((await reply.json()) as { share_id: string }).share_id }
}
const folder = async ({ server, tokens }: World) => {
  const body = { name: `Folder ${(counter += 1)}` }
  const reply = await server.call('POST', '/api/v1/folders/', { token: tokens.owner, body })
  return { folder_id: ((await reply.json()) as { id: string }).id }
}
const trashedFolder = async (world: World) => {
  const params = await folder(world)
  await world.server.call('DELETE', `/api/v1/folders/${params.folder_id}`, {
    token: world.tokens.owner,
  })
  return params
}
const ARCHIVE = { id: 'elsewhere', title: 'Elsewhere', ...CHAT_BODY }
const importSession = async ({ server, tokens }: World) => {
  const reply = await server.call('POST', '/api/v1/chats/imports', {
    token: tokens.owner,
    body: ARCHIVE,
  })
  return { import_id: ((await reply.json()) as { import_id: string }).import_id }
}

const ARTIFACT = { chat_id: 'none', artifact_id: 'a1:0' }

/** Rows of the authorisation matrix for chats, folders, imports and running answers. */
export const chatRows: Readonly<Record<string, MatrixRow>> = {
  'chats.list': user(),
  'chats.search': { ...user(), query: '?text=hello' },
  'chats.pinned': user(),
  'chats.create': user(200, CHAT_BODY),
  'chats.get': owned(chat),
  'chats.update': owned(chat, { body: () => CHAT_BODY }),
  'chats.remove': owned(chat),
  'chats.restore': owned(trashedChat),
  'chats.starred': user(),
  'chats.trash': user(),
  'chats.moveToTrash': user(200, { ids: [] }),
  'chats.emptyTrash': user(),
  'chats.erase': owned(trashedChat),
  'chats.archived': user(),
  'chats.shared': user(),
  'chats.all': user(),
  'chats.allArchived': user(),
  'chats.allTags': user(),
  'chats.allOfEverybody': admin(),
  'chats.listOfUser': admin({ params: async (world) => ({ user_id: await world.newUser() }) }),
  'chats.inFolder': owned(folder),
  'chats.listInFolder': owned(folder),
  'chats.byTag': user(200, { name: 'travel' }),
  'chats.usage': user(),
  'chats.exportStatistics': user(),
  'chats.exportStatisticsOfOne': owned(chat),
  'chats.archiveAll': user(),
  'chats.unarchiveAll': user(),
  'chats.removeAll': user(),
  'chats.tags': owned(chat),
  'chats.addTag': owned(chat, { body: () => ({ name: 'travel' }) }),
  'chats.removeTag': owned(chat, { body: () => ({ name: 'travel' }) }),
  'chats.removeTags': owned(chat),
  'chats.isPinned': owned(chat),
  'chats.archive': owned(chat),
  'chats.move': owned(chat, { body: () => ({ folder_id: null }) }),
  'chats.read': owned(chat),
  'chats.unread': owned(chat),
  'chats.clone': owned(chat, { body: () => ({}) }),
  // With sharing.public_chats denied, the link opens only for the named users and for
  // administrators.
  'chats.getShared': owned(share, { others: { other: 404, admin: 200 } }),
  'chats.cloneShared': owned(share, { others: { other: 404, admin: 200 } }),
  'chats.fork': owned(chat, { body: () => ({ message_id: 'm1' }) }),
  'chats.share': owned(chat),
  'chats.unshare': owned(chat),
  'chats.getAccess': owned(share),
  'chats.updateAccess': owned(share, { body: () => ({ access_grants: [] }) }),
  'chats.exportOne': owned(chat),

  'artifacts.list': { ...user(404), query: '?chat_id=none' },
  'artifacts.allow': user(200, {
    chat_id: null,
    artifact_id: 'a1:0',
    origins: ['https://api.example.com'],
  }),
  'artifacts.open': user(404, ARTIFACT),
  'artifacts.revoke': user(404, ARTIFACT),

  'folders.list': user(),
  'folders.create': { ...user(), body: () => ({ name: `Folder ${(counter += 1)}` }) },
  'folders.get': owned(folder),
  'folders.update': owned(folder, { body: () => ({ data: { system_prompt: 'Be brief.' } }) }),
  'folders.move': owned(folder, { body: () => ({ parent_id: null }) }),
  'folders.expand': owned(folder, { body: () => ({ is_expanded: true }) }),
  'folders.remove': owned(folder),
  'folders.restore': owned(trashedFolder),
  'folders.trash': user(),
  'folders.erase': owned(trashedFolder),

  'imports.archive': user(),
  'imports.records': user(200, CHAT_BODY),
  'imports.create': user(200, ARCHIVE),
  'imports.runs': user(),
  'imports.findPrograms': admin(),
  'imports.openProgram': admin({ params: () => ({ program_id: 'none' }), status: 404 }),
  'imports.undo': { ...user(404), params: () => ({ import_id: 'none' }) },
  'imports.get': owned(importSession),
  'imports.run': owned(importSession, { body: () => ({ all: true }) }),
  'imports.remove': owned(importSession),

  'chats.pin': owned(chat),
  'chats.branch': owned(chat),
  'chats.updateMessage': owned(message, { body: () => ({ content: 'Changed' }) }),
  'chats.removeMessage': owned(message),
  // The specification lets administrators and service accounts post events to the messages of
  // others.
  'chats.messageEvent': owned(message, {
    body: () => ({ type: 'status', data: { description: 'Searching' } }),
    others: { other: 404, admin: 200 },
  }),

  'tasks.stop': owned(
    ({ server, ids }) => ({
      task_id: server.context.tasks.start({ userId: ids.owner, chatId: null, messageId: null }).id,
    }),
    {
      others: { other: 404, admin: 200 },
    },
  ),
  'tasks.list': admin(),
  'tasks.ofChat': { ...user(), params: chat },
  'tasks.stopChat': owned(chat, { others: { other: 404, admin: 200 } }),
}
