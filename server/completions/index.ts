import type { Route } from '../lib/http.ts'
import { createAskModel, type AskModel } from './ask-model.ts'
import { countModels } from './generate/count-usage.ts'
import { createDialectRoutes } from './dialects/routes.ts'
import type { DialectParts } from './dialects/stateless-call.ts'
import { createGenerationRoutes } from './follow-up/routes.ts'
import { createLiveAnswers } from './answer/live-answers.ts'
import { LongSaves } from './answer/long-saves.ts'
import { prepareStateless, readLinkedDocuments } from './prepare/prepare-stateless.ts'
import { createRoutes } from './routes.ts'
import { runInChat, type ChatQuestion, type ChatRun } from './run-in-chat.ts'
import { streamText, type TextQuestion } from './stream-text.ts'
import { tellProviders } from './generate/tell-providers.ts'
import type { CompletionsDependencies, CompletionsParts } from './completions-parts.ts'

export type { CompletionsDependencies } from './completions-parts.ts'

export type { AskModel } from './ask-model.ts'
export type { ChatQuestion, ChatRun } from './run-in-chat.ts'
export type { TextQuestion } from './stream-text.ts'
export { joinFilters } from './join-filters.ts'
export { createKeyUsage } from './key-usage.ts'
export type { Library, LibraryFile } from './sources/library.ts'
export { createLibrary } from './sources/create-library.ts'

/** Streaming pipeline. */
export interface Completions {
  readonly routes: readonly Route[]
  /** Interface through which plugins ask models. */
  readonly askModel: AskModel
  /** Yields the text of an answer that belongs to no chat, chunk by chunk. */
  streamText(question: TextQuestion): AsyncGenerator<string, void, void>
  /** Asks in a new chat of a user and waits for the end of the answer. */
  runInChat(question: ChatQuestion): Promise<ChatRun>
  /** Cancels small tasks; running answers are drained through their own tasks. */
  close(): void
}

/** Builds the pipeline and gives chats access to the answers it is writing. */
export function createCompletions(dependencies: CompletionsDependencies): Completions {
  const closing = new AbortController()
  const { usage } = dependencies
  const resolve = tellProviders(dependencies.models, dependencies.settings)
  const models: CompletionsParts['models'] = {
    resolve: usage ? countModels(resolve, usage) : resolve,
    mayName: (caller, id) => dependencies.models.mayName(caller, id),
  }
  const parts: CompletionsParts = {
    outlets: [],
    ...dependencies,
    models,
    live: createLiveAnswers(),
    longSaves: new LongSaves(),
    closing: closing.signal,
  }
  dependencies.chats.setLiveAnswers((chatId, messageId) => parts.live.find(chatId, messageId))
  const dialects: DialectParts = {
    models,
    prepare: (request, about) => prepareStateless(parts, { ...about, sent: request }),
    readLinkedDocuments: (prepared) => readLinkedDocuments(parts, prepared),
  }
  return {
    routes: [
      ...createRoutes(parts),
      ...createGenerationRoutes(parts),
      ...createDialectRoutes(dialects),
    ],
    askModel: createAskModel(parts),
    streamText: (question) => streamText(parts, question),
    runInChat: (question) => runInChat(parts, question),
    close: () => closing.abort(),
  }
}
