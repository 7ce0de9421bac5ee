import { endpoints } from '#contract/endpoints.ts'
import { either, ID, inBody, inPath, inReply, NAME, row, switched, type EventRow } from './row.ts'

const {
  channels,
  chats,
  files,
  folders,
  functions,
  images,
  imports,
  knowledge,
  memories,
  models,
  notes,
  prompts,
  retrieval,
  tools,
} = endpoints

const CHAT = inPath('chat_id')
const CHANNEL = inPath('channel_id')
const FILE = inPath('file_id')
const FOLDER = inPath('folder_id')
const KNOWLEDGE = inPath('knowledge_id')
const MESSAGE = inPath('message_id')
const NOTE = inPath('note_id')
const PROMPT = inPath('prompt_id')
const TOOL = inPath('tool_id')
const FUNCTION = inPath('function_id')
const IN_CHAT = { data: { chat_id: CHAT } } as const
const IN_CHANNEL = { data: { channel_id: CHANNEL } } as const
const OF_FILE = { data: { file_id: inBody('file_id') } } as const
const MODEL = either(ID, inBody('id'), ({ query }) => query['id'])

/** Chats and channels: actor, action and place, without titles and texts. */
const talkRows: readonly EventRow[] = [
  row(chats.create, 'chat.created', ID),
  row(imports.records, 'chat.imported'),
  row(imports.run, 'chat.imported', inPath('import_id'), {
    type: 'import',
    data: { created: inReply('created'), updated: inReply('updated'), failed: inReply('failed') },
  }),
  row(chats.update, 'chat.updated', CHAT),
  row(chats.pin, switched('pinned', 'chat.pinned', 'chat.unpinned'), CHAT),
  row(chats.archive, switched('archived', 'chat.archived', 'chat.unarchived'), CHAT),
  row(chats.archiveAll, 'chat.archived', undefined, { data: { all: () => true } }),
  row(chats.unarchiveAll, 'chat.unarchived', undefined, { data: { all: () => true } }),
  row(chats.share, 'chat.shared', CHAT),
  row(chats.unshare, 'chat.unshared', CHAT),
  row(chats.clone, 'chat.cloned', ID, { data: { from: CHAT } }),
  row(chats.fork, 'chat.cloned', ID, { data: { from: CHAT } }),
  row(chats.cloneShared, 'chat.cloned', ID, { data: { share_id: inPath('share_id') } }),
  row(chats.move, 'chat.folder_updated', CHAT, { data: { folder_id: inBody('folder_id') } }),
  row(chats.addTag, 'chat.tag_added', CHAT, { data: { tag: inBody('name') } }),
  row(chats.removeTag, 'chat.tag_removed', CHAT, { data: { tag: inBody('name') } }),
  row(chats.removeTags, 'chat.tag_removed', CHAT, { data: { all: () => true } }),
  row(chats.remove, 'chat.deleted', CHAT),
  row(chats.erase, 'chat.deleted', CHAT),
  row(chats.moveToTrash, 'chat.deleted', undefined, { data: { ids: inBody('ids') } }),
  row(chats.removeAll, 'chat.deleted_all'),
  row(chats.updateMessage, 'message.updated', MESSAGE, IN_CHAT),
  row(chats.removeMessage, 'message.deleted', MESSAGE, IN_CHAT),
  row(chats.messageEvent, 'message.event_received', MESSAGE, {
    data: { chat_id: CHAT, type: inBody('type') },
  }),
  row(folders.create, 'folder.created', ID),
  row(folders.update, 'folder.updated', FOLDER),
  row(folders.move, 'folder.parent_updated', FOLDER, { data: { parent_id: inBody('parent_id') } }),
  row(folders.remove, 'folder.deleted', FOLDER),
  row(folders.erase, 'folder.deleted', FOLDER),

  row(channels.create, 'channel.created', ID),
  row(channels.update, 'channel.updated', CHANNEL),
  row(channels.addMembers, 'channel.member_added', CHANNEL, {
    data: { user_ids: inBody('user_ids'), group_ids: inBody('group_ids') },
  }),
  row(channels.removeMembers, 'channel.member_removed', CHANNEL, {
    data: { user_ids: inBody('user_ids') },
  }),
  row(channels.updateActive, 'channel.member_active_updated', CHANNEL, {
    data: { is_active: inBody('is_active') },
  }),
  row(channels.remove, 'channel.deleted', CHANNEL),
  row(channels.createWebhook, 'channel.webhook.created', ID, IN_CHANNEL),
  row(channels.updateWebhook, 'channel.webhook.updated', inPath('webhook_id'), IN_CHANNEL),
  row(channels.rotateWebhook, 'channel.webhook.updated', inPath('webhook_id'), IN_CHANNEL),
  row(channels.removeWebhook, 'channel.webhook.deleted', inPath('webhook_id'), IN_CHANNEL),
  row(channels.post, 'message.created', ID, IN_CHANNEL),
  row(channels.receive, 'message.created', inReply('message_id'), {
    data: { webhook_id: inPath('webhook_id') },
  }),
  row(channels.updateMessage, 'message.updated', MESSAGE, IN_CHANNEL),
  row(
    channels.pin,
    ({ body }) => (body['is_pinned'] === true ? 'message.pinned' : 'message.unpinned'),
    MESSAGE,
    IN_CHANNEL,
  ),
  row(channels.addReaction, 'message.reaction_added', MESSAGE, {
    data: { channel_id: CHANNEL, name: inBody('name') },
  }),
  row(channels.removeReaction, 'message.reaction_removed', MESSAGE, {
    data: { channel_id: CHANNEL, name: inBody('name') },
  }),
  row(channels.removeMessage, 'message.deleted', MESSAGE, IN_CHANNEL),
]

/** Sources that are searched and read: files, collections, notes and memories. */
const documentRows: readonly EventRow[] = [
  row(files.upload, 'file.uploaded', ID, { data: { filename: inReply('filename') } }),
  row(files.updateText, 'file.content_updated', FILE),
  row(files.rename, 'file.renamed', FILE),
  row(files.remove, 'file.deleted', FILE),
  row(files.removeAll, 'file.deleted_all'),
  row(files.removeUnused, 'file.deleted', undefined, {
    data: { unused: () => true, removed: inReply('removed') },
  }),

  row(knowledge.create, 'knowledge.created', ID, { data: NAME }),
  row(knowledge.update, 'knowledge.updated', KNOWLEDGE, { data: NAME }),
  row(knowledge.updateAccess, 'knowledge.access_updated', KNOWLEDGE),
  row(knowledge.reset, 'knowledge.reset', KNOWLEDGE),
  row(knowledge.reindex, 'knowledge.reindexed', KNOWLEDGE),
  row(knowledge.reindexAll, 'knowledge.reindexed', undefined, { data: { all: () => true } }),
  row(knowledge.remove, 'knowledge.deleted', KNOWLEDGE),
  row(knowledge.addFile, 'knowledge.file.added', KNOWLEDGE, { type: 'knowledge', ...OF_FILE }),
  row(knowledge.addFiles, 'knowledge.file.added', KNOWLEDGE, { type: 'knowledge' }),
  row(knowledge.updateFile, 'knowledge.file.updated', KNOWLEDGE, { type: 'knowledge', ...OF_FILE }),
  row(knowledge.moveFile, 'knowledge.file.moved', KNOWLEDGE, { type: 'knowledge', ...OF_FILE }),
  row(knowledge.removeFile, 'knowledge.file.removed', KNOWLEDGE, { type: 'knowledge', ...OF_FILE }),
  row(knowledge.createDirectory, 'knowledge.directory.created', ID, {
    data: { knowledge_id: KNOWLEDGE },
  }),
  row(knowledge.updateDirectory, 'knowledge.directory.updated', inPath('directory_id'), {
    data: { knowledge_id: KNOWLEDGE },
  }),
  row(knowledge.removeDirectory, 'knowledge.directory.deleted', inPath('directory_id'), {
    data: { knowledge_id: KNOWLEDGE },
  }),

  row(retrieval.processFile, 'retrieval.content.processed', undefined, {
    data: { kind: () => 'file', file_id: inBody('file_id') },
  }),
  row(retrieval.processText, 'retrieval.content.processed', undefined, {
    data: { kind: () => 'text' },
  }),
  row(retrieval.processWeb, 'retrieval.content.processed', undefined, {
    data: { kind: () => 'web' },
  }),
  row(retrieval.processFiles, 'retrieval.content.processed', undefined, {
    data: { kind: () => 'files' },
  }),
  row(retrieval.remove, 'retrieval.collection.deleted', inBody('collection_name'), {
    data: { file_id: inBody('file_id') },
  }),
  row(retrieval.resetIndex, 'retrieval.vector_db.reset'),
  row(retrieval.resetUploads, 'retrieval.uploads.reset'),

  row(notes.create, 'note.created', ID),
  row(notes.update, 'note.updated', NOTE),
  row(notes.updateAccess, 'note.access_updated', NOTE),
  row(notes.pin, switched('is_pinned', 'note.pinned', 'note.unpinned'), NOTE),
  row(notes.remove, 'note.deleted', NOTE),
  row(memories.add, 'memory.created', ID),
  row(memories.update, 'memory.updated', inPath('memory_id')),
  row(memories.reset, 'memory.reset'),
  row(memories.remove, 'memory.deleted', inPath('memory_id')),
  row(memories.removeAll, 'memory.deleted', undefined, { data: { all: () => true } }),
]

/** Building blocks of answers: models, prompts, tools and functions. */
const workRows: readonly EventRow[] = [
  row(models.create, 'model.created', MODEL, { data: NAME }),
  row(models.import, 'model.imported'),
  row(models.sync, 'model.synced'),
  row(models.update, 'model.updated', MODEL, { data: NAME }),
  row(models.toggle, switched('is_active', 'model.enabled', 'model.disabled'), MODEL, {
    data: NAME,
  }),
  row(models.updateAccess, 'model.access_updated', MODEL, { data: NAME }),
  row(models.remove, 'model.deleted', MODEL),
  row(models.removeByQuery, 'model.deleted', MODEL),
  row(models.removeAll, 'model.deleted', undefined, { data: { all: () => true } }),

  row(tools.create, 'tool.created', ID, { data: NAME }),
  row(tools.update, 'tool.updated', TOOL, { data: NAME }),
  row(tools.updateAccess, 'tool.access_updated', TOOL),
  row(tools.updateValves, 'tool.valves_updated', TOOL),
  row(tools.remove, 'tool.deleted', TOOL),
  row(functions.create, 'function.created', ID, { data: NAME }),
  row(functions.sync, 'function.updated', undefined, { data: { all: () => true } }),
  row(functions.update, 'function.updated', FUNCTION, { data: NAME }),
  row(functions.toggle, switched('is_active', 'function.enabled', 'function.disabled'), FUNCTION, {
    data: NAME,
  }),
  row(functions.toggleGlobal, 'function.updated', FUNCTION, {
    data: { is_global: inReply('is_global'), ...NAME },
  }),
  row(functions.updateValves, 'function.valves_updated', FUNCTION),
  row(functions.remove, 'function.deleted', FUNCTION),

  row(images.generate, 'image.generated', undefined, { data: { model: inBody('model') } }),
  row(images.vary, 'image.generated', undefined, { data: { from: inPath('picture_id') } }),
  row(images.edit, 'image.edited', undefined, { data: { model: inBody('model') } }),

  row(prompts.create, 'prompt.created', ID, { data: NAME }),
  row(prompts.update, 'prompt.updated', PROMPT, { data: NAME }),
  row(prompts.updateMeta, 'prompt.updated', PROMPT, { data: NAME }),
  row(prompts.updateByCommand, 'prompt.updated', ID, { data: NAME }),
  row(prompts.updateVersion, 'prompt.version_updated', PROMPT, { data: NAME }),
  row(prompts.updateAccess, 'prompt.access_updated', PROMPT),
  row(prompts.toggle, switched('is_active', 'prompt.enabled', 'prompt.disabled'), PROMPT, {
    data: NAME,
  }),
  row(prompts.remove, 'prompt.deleted', PROMPT),
  row(prompts.removeByCommand, 'prompt.deleted', undefined, {
    data: { command: inPath('command') },
  }),
]

/** Chats, documents and the building blocks of answers. */
export const contentRows: readonly EventRow[] = [...talkRows, ...documentRows, ...workRows]
