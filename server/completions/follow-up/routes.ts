import { filterInOrder } from '../../lib/in-order.ts'
import { endpoints } from '#contract/endpoints.ts'
import { httpRoute, route, type Route } from '../../lib/http.ts'
import type { CompletionsParts } from '../completions-parts.ts'
import { mergeAnswers, runGeneration } from './run-generation.ts'
import { readTasksConfig, showTasksConfig, updateTasksConfig } from './tasks-config.ts'

/** Creates the routes of generation and of its settings. */
export function createGenerationRoutes(parts: CompletionsParts): readonly Route[] {
  const { generation } = endpoints
  const { chats, models, settings, tasks } = parts
  return [
    route(generation.config, ({ caller }) =>
      showTasksConfig(settings, (id) => models.mayName(caller, id)),
    ),
    route(generation.updateConfig, async ({ body }) => {
      await updateTasksConfig(settings, body)
      return readTasksConfig(settings)
    }),
    route(generation.activeChats, async ({ body, caller }) => ({
      active_chat_ids: await filterInOrder(
        body.chat_ids,
        async (id) => tasks.ofChat(id).length > 0 && (await chats.ownerOf(id)) === caller.userId,
      ),
    })),
    route(generation.title, (call) => runGeneration(parts, 'title', call)),
    route(generation.tags, (call) => runGeneration(parts, 'tags', call)),
    route(generation.followUp, (call) => runGeneration(parts, 'follow_up', call)),
    route(generation.queries, (call) => runGeneration(parts, 'queries', call)),
    route(generation.imagePrompt, (call) => runGeneration(parts, 'image_prompt', call)),
    route(generation.auto, (call) => runGeneration(parts, 'auto', call)),
    route(generation.emoji, (call) => runGeneration(parts, 'emoji', call)),
    httpRoute(generation.moa, (call) => mergeAnswers(parts, call)),
  ]
}
