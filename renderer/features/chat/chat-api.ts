import type { BranchPage, Chat, ChatBodyInput } from '#contract/chats.ts'
import type { ChatCompletionRequest, RunStarted } from '#contract/completions.ts'
import type { EventData } from '#contract/events.ts'
import type { FeedbackInput } from '#contract/evaluations.ts'
import { call, callRaw, endpoints } from '../../api/client.ts'
import { chatViewStore } from './chat-view-store.ts'

/**
 * Transport of an answer: pushed by the gateway over the socket, or streamed in the response of
 * this call.
 */
export type AnswerStart =
  | { readonly over: 'socket'; readonly taskIds: readonly string[] }
  | { readonly over: 'stream'; readonly body: ReadableStream<Uint8Array> }

export interface BranchQuery {
  readonly through?: string
  readonly before?: string
  readonly limit?: number
}

export interface MergeRequest {
  readonly model: string
  readonly prompt: string
  readonly responses: readonly string[]
}

/** Calls made by a conversation; tests replace them. */
export interface ChatApi {
  branch(chatId: string, query: BranchQuery, signal?: AbortSignal): Promise<BranchPage>
  whole(chatId: string): Promise<Chat>
  create(chat: ChatBodyInput): Promise<{ id: string; title: string }>
  update(chatId: string, chat: ChatBodyInput): Promise<void>
  removeMessage(chatId: string, messageId: string): Promise<void>
  /** Adds an event to a message; the gateway stores it and sends it to every window. */
  tellMessage(
    chatId: string,
    messageId: string,
    event: Extract<EventData, { type: 'chat:message:artifact' }>,
  ): Promise<void>
  startAnswer(request: ChatCompletionRequest): Promise<AnswerStart>
  /** Merges several answers into one; streamed. */
  merge(request: MergeRequest, signal: AbortSignal): Promise<ReadableStream<Uint8Array>>
  /** Stops the answers of a chat, or only that of the given message. */
  stop(chatId: string, messageId?: string): Promise<void>
  stopTask(taskId: string): Promise<void>
  /** Stores a new rating or updates the given one; resolves with its id. */
  rate(feedback: FeedbackInput, feedbackId: string | null): Promise<string>
  /** Deletes a rating. */
  unrate(feedbackId: string): Promise<void>
}

async function startAnswer(request: ChatCompletionRequest): Promise<AnswerStart> {
  const response = await callRaw(endpoints.completions.chatCompletions, {
    params: {},
    body: request,
  })
  const isStream = response.headers.get('Content-Type')?.startsWith('text/event-stream')
  if (isStream && response.body) return { over: 'stream', body: response.body }
  const started = (await response.json()) as RunStarted
  return { over: 'socket', taskIds: started.task_ids }
}

export const chatApi: ChatApi = {
  branch: (chatId, query, signal) =>
    call(endpoints.chats.branch, { params: { chat_id: chatId }, query: { ...query } }, { signal }),
  whole: (chatId) => call(endpoints.chats.get, { params: { chat_id: chatId } }),
  create: (chat) =>
    call(endpoints.chats.create, { body: { chat, folder_id: chatViewStore.getState().folderId } }),
  update: async (chatId, chat) => {
    await call(endpoints.chats.update, {
      params: { chat_id: chatId },
      query: { reply: 'minimal' },
      body: { chat },
    })
  },
  removeMessage: async (chatId, messageId) => {
    const params = { chat_id: chatId, message_id: messageId }
    await call(endpoints.chats.removeMessage, { params, query: { reply: 'minimal' } })
  },
  tellMessage: async (chatId, messageId, { type, data }) => {
    const params = { chat_id: chatId, message_id: messageId }
    await call(endpoints.chats.messageEvent, { params, body: { type, data } })
  },
  startAnswer,
  merge: async (request, signal) => {
    const body = { ...request, responses: [...request.responses], stream: true }
    const response = await callRaw(endpoints.generation.moa, { body }, { signal })
    return response.body!
  },
  stop: async (chatId, messageId) => {
    await call(endpoints.completions.stopChatTasks, {
      params: { chat_id: chatId },
      query: { message_id: messageId },
    })
  },
  stopTask: async (taskId) => {
    await call(endpoints.completions.stopTask, { params: { task_id: taskId } })
  },
  rate: async (body, feedbackId) => {
    if (feedbackId === null) return (await call(endpoints.evaluations.createFeedback, { body })).id
    return (
      await call(endpoints.evaluations.updateFeedback, {
        params: { feedback_id: feedbackId },
        body,
      })
    ).id
  },
  unrate: async (feedbackId) => {
    await call(endpoints.evaluations.removeFeedback, { params: { feedback_id: feedbackId } })
  },
}
