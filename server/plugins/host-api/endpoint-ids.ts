/**
 * Endpoints that plugin code may call on behalf of a user, by the ids of `server/contract`.
 * Passwords, keys, sessions, settings of the gateway, connections, accounts and code of plugins are
 * excluded, for every user.
 */
export const ALLOWED_ENDPOINTS: ReadonlySet<string> = new Set([
  ...'chats.list chats.search chats.get chats.create chats.update chats.remove chats.move chats.tags chats.addTag'.split(
    ' ',
  ),
  ...'chats.removeTag chats.removeTags chats.messageEvent chats.listInFolder chats.pin chats.archive'.split(
    ' ',
  ),
  ...'chats.pinned chats.isPinned chats.archived chats.allTags chats.byTag chats.inFolder chats.updateMessage'.split(
    ' ',
  ),
  ...'folders.list folders.get folders.create folders.update folders.remove'.split(' '),
  ...'memories.list memories.add memories.query memories.update memories.remove memories.removeAll memories.reset'.split(
    ' ',
  ),
  ...'notes.list notes.search notes.get notes.create notes.update notes.remove'.split(' '),
  ...'notes.pinned notes.pin prompts.list prompts.page prompts.tags prompts.get prompts.getByCommand'.split(
    ' ',
  ),
  ...'skills.export skills.get skills.create skills.update skills.toggle skills.remove'.split(' '),
  ...'knowledge.list knowledge.search knowledge.files knowledge.searchFiles knowledge.updateFile knowledge.addFiles'.split(
    ' ',
  ),
  ...'knowledge.all knowledge.get knowledge.create knowledge.update knowledge.remove knowledge.addFile knowledge.removeFile'.split(
    ' ',
  ),
  ...'files.get files.list files.text files.updateText files.rename files.remove files.process'.split(
    ' ',
  ),
  ...'retrieval.processFile retrieval.processText retrieval.processWeb retrieval.searchWeb'.split(
    ' ',
  ),
  ...'retrieval.queryDocument retrieval.queryCollections'.split(' '),
  ...'images.generate images.edit images.models images.gallery images.picture'.split(' '),
  ...'models.info models.create models.update models.remove'.split(' '),
  ...'groups.list groups.members'.split(' '),
  ...'evaluations.createFeedback evaluations.getFeedback evaluations.updateFeedback evaluations.removeFeedback'.split(
    ' ',
  ),
  ...'evaluations.ownFeedbacks evaluations.exportFeedbacks'.split(' '),
  ...'users.active users.settings users.updateSettings users.info users.ownInfo users.updateOwnInfo'.split(
    ' ',
  ),
])
