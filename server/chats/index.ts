export { Chats } from './chats.ts'
export type { ChatsDependencies } from './create-context.ts'
export { OldChats } from './reading/old-chats.ts'

export type { AnswerPatch, FolderContext, WrittenFields } from './answers/answer-patch.ts'

export type { FileShelf, PromptLibrary } from './import/import-targets.ts'
export type { SpokenMessage } from './reading/read-chat.ts'
export { weave, type TextChange } from './answers/text-events.ts'
export { alreadyWritten } from './answers/write-answer.ts'
