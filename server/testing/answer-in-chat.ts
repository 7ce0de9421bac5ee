import type { Conversation } from './start-conversation.ts'

/** Returns a request for an answer of the scripted model. */
export const toRequest = (content: string, more: Record<string, unknown> = {}) => ({
  model: 'text',
  messages: [{ role: 'user', content }],
  ...more,
})

/** Requests the answer of a stored chat whose question selects the scenario of the provider. */
export async function answerInChat(
  conversation: Conversation,
  question: string,
  more: Record<string, unknown> = {},
) {
  const chat = await conversation.createChat(question)
  const response = await conversation.complete(
    toRequest(question, { chat_id: chat.chat_id, id: chat.id, ...more }),
  )
  return { chat, response }
}

/** Starts an answer that takes seconds; resolves with the task that writes it. */
export async function startSlowAnswer(conversation: Conversation) {
  const socket = await conversation.openSocket()
  const { chat, response } = await answerInChat(conversation, '/slow 400', {
    session_id: socket.sessionId,
  })
  const { task_id: taskId } = (await response.json()) as { task_id: string }
  await socket.event('chat:message:delta')
  return { chat, socket, taskId }
}

export const stopTask = (
  { server, token }: Conversation,
  taskId: string,
  caller = token,
): Promise<Response> => server.call('POST', `/api/tasks/stop/${taskId}`, { token: caller })
