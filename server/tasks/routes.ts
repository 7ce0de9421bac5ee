import { endpoints } from '#contract/endpoints.ts'
import { notFound } from '../lib/errors.ts'
import { route, type Caller, type Route } from '../lib/http.ts'
import type { Tasks } from './tasks.ts'

/** The part of chats that the routes need; chats are created after tasks. */
interface ChatReach {
  /** Returns the owner of a chat, null if there is none. */
  ownerOf(chatId: string): Promise<string | null>
  /** Closes answers that were announced and never asked for. */
  closeAnnounced(chatId: string, messageId?: string): Promise<void>
}

/**
 * Creates the routes that list and stop running answers: the caller's own, for administrators all
 * of them.
 */
export function createTaskRoutes(tasks: Tasks, chats: ChatReach): readonly Route[] {
  const canReach = (caller: Caller, ownerId: string | null): boolean =>
    ownerId !== null && (ownerId === caller.userId || caller.role === 'admin')

  return [
    route(endpoints.completions.stopTask, ({ params, caller }) => {
      const task = tasks.get(params.task_id)
      if (!task || !canReach(caller, task.userId))
        throw notFound('There is no running answer with this id. It may have finished already.')
      tasks.stop(task.id, 'user')
      return { status: true as const, message: 'The answer is being stopped.' }
    }),
    route(endpoints.completions.listTasks, () => ({ tasks: tasks.list().map((task) => task.id) })),
    route(endpoints.completions.chatTasks, async ({ params, caller }) => ({
      task_ids: canReach(caller, await chats.ownerOf(params.chat_id))
        ? tasks.ofChat(params.chat_id, ['answer', 'action', 'outlet']).map((task) => task.id)
        : [],
    })),
    route(endpoints.completions.stopChatTasks, async ({ params, query, caller }) => {
      if (!canReach(caller, await chats.ownerOf(params.chat_id)))
        throw notFound('This chat does not exist.')
      const stopped = tasks.stopChat(params.chat_id, 'user', query.message_id)
      if (stopped === 0) await chats.closeAnnounced(params.chat_id, query.message_id)
      return {
        status: stopped > 0,
        message:
          stopped > 0
            ? 'The answers of this chat are being stopped.'
            : 'No answer is running in this chat.',
      }
    }),
  ]
}
