export { Chats } from './chats.ts'
export type { ChatsDependencies } from './create-context.ts'
export { OldChats } from './old-chats.ts'

export type { AnswerPatch, FolderContext } from './answer-patch.ts'

export type { WrittenFields } from './patch-message.ts'
export type { SpokenMessage } from './read-chat.ts'
