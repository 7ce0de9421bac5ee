export { Chats } from './chats.ts'
export type { ChatsDependencies } from './create-context.ts'
export { OldChats } from './old-chats.ts'

export type { AnswerPatch, FolderContext, WrittenFields } from './answer-patch.ts'

export type { FileShelf, PromptLibrary } from './import/import-targets.ts'
export type { SpokenMessage } from './read-chat.ts'
export { alreadyWritten } from './write-answer.ts'
