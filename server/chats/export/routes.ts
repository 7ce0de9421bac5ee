import { endpoints } from '#contract/endpoints.ts'
import { httpRoute, type Route } from '../../lib/http.ts'
import { requireChat, type ChatContext } from '../chat-context.ts'
import { sendMade } from '../lists/stream-chats.ts'
import { readChat } from '../reading/read-chat.ts'
import { writeArchive } from './write-archive.ts'
import { writeMarkdown } from './write-markdown.ts'

const { chats, imports } = endpoints
const LONGEST_NAME = 80

/** Converts a title to part of a file name that is valid on every system. */
function toFileName(title: string): string {
  const name = title
    .replace(/[\p{Cc}\p{Bidi_Control}<>:"/\\|?*]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .replace(/^[. ]+|[. ]+$/g, '')
  return name.slice(0, LONGEST_NAME).toWellFormed().trim() || 'chat'
}

export function createExportRoutes(context: ChatContext): Route[] {
  return [
    httpRoute(imports.archive, ({ caller, response }) =>
      sendMade(response, writeArchive(context, caller.userId), {
        type: 'application/json; charset=utf-8',
        fileName: `chats-${new Date().toISOString().slice(0, 10)}.json`,
      }),
    ),
    httpRoute(chats.exportOne, async ({ caller, params, query, response }) => {
      const chat = await requireChat(context, caller.userId, params.chat_id)
      const isThreadOnly = query.branch === 'active'
      const name = toFileName(chat.title)
      return query.format === 'md'
        ? sendMade(response, writeMarkdown(context, chat.id, isThreadOnly), {
            type: 'text/markdown; charset=utf-8',
            fileName: `${name}.md`,
          })
        : sendMade(response, readChat(context, chat.id, { isThreadOnly }), {
            type: 'application/json; charset=utf-8',
            fileName: `${name}.json`,
          })
    }),
  ]
}
