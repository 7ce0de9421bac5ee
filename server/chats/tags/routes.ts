import { endpoints } from '#contract/endpoints.ts'
import { asJsonList, route, type Route } from '../../lib/http.ts'
import { runInTurns } from '../../lib/turns.ts'
import { describeChat, type ChatContext } from '../chat-context.ts'
import { addTag, listAllTags, listTags, removeTag, removeTags } from './change-tags.ts'
import { toTagId } from './tag-names.ts'

const { chats } = endpoints

export function createTagRoutes(context: ChatContext): Route[] {
  return [
    route(chats.allTags, ({ caller }) => listAllTags(context, caller.userId)),
    route(chats.byTag, async ({ caller, body }) => {
      const slice = { offset: body.skip, limit: body.limit }
      const rows = await runInTurns(context.tags.chats(caller.userId, toTagId(body.name), slice))
      return asJsonList(rows, (row) => describeChat(context, row))
    }),
    route(chats.tags, ({ caller, params }) => listTags(context, caller.userId, params.chat_id)),
    route(chats.addTag, ({ caller, params, body }) =>
      addTag(context, caller.userId, { chatId: params.chat_id, name: body.name }),
    ),
    route(chats.removeTag, ({ caller, params, body }) =>
      removeTag(context, caller.userId, { chatId: params.chat_id, name: body.name }),
    ),
    route(chats.removeTags, ({ caller, params }) =>
      removeTags(context, caller.userId, params.chat_id),
    ),
  ]
}
