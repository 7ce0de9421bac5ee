import { mapInOrder } from '../../lib/in-order.ts'
import type { Chats } from '../../chats/index.ts'
import type { Files } from '../../files/index.ts'
import type { Groups } from '../../groups/index.ts'
import type { Images } from '../../images/index.ts'
import type { Knowledge } from '../../knowledge/index.ts'
import type { Memories } from '../../memories/index.ts'
import type { Retrieval, WebReader } from '../../retrieval/index.ts'
import type { PluginsSettings } from '../plugins-settings.ts'
import type { BuiltInTool } from './contract.ts'
import { picturesTool } from './pictures-tool.ts'
import { numberOf, textOf } from './tool.ts'
import { isOffline } from '../../settings/index.ts'

/** Services that built-in tools use. */
export interface BuiltInDependencies {
  readonly chats: Pick<Chats, 'search' | 'branch' | 'spokenThread'>
  readonly memories: Memories
  readonly files: Files
  readonly knowledge: Pick<Knowledge, 'get' | 'readableIds' | 'collections'>
  readonly retrieval: Pick<Retrieval, 'search'>
  readonly webReader: WebReader
  readonly groups: Groups
  readonly settings: PluginsSettings
  readonly images: Images
}

const TEXT = (description: string) => ({ type: 'string' as const, description })
const NUMBER = (description: string) => ({ type: 'integer' as const, description })

const LONGEST_PIECE = 20_000
const MOST_FOUND = 20

const time: BuiltInTool = {
  id: 'builtin:time',
  name: 'Time',
  description: 'Says which day and what time it is.',
  isOffered: async () => true,
  functions: [
    {
      name: 'get_current_time',
      description:
        'The current date and time, in UTC and in a time zone when one is named, such as Europe/Oslo.',
      properties: { timezone: TEXT('Name of a time zone') },
      required: [],
      run({ timezone }) {
        const now = new Date()
        const zone = typeof timezone === 'string' && timezone !== '' ? timezone : null
        const local =
          zone &&
          new Intl.DateTimeFormat('en-GB', {
            timeZone: zone,
            dateStyle: 'full',
            timeStyle: 'long',
          }).format(now)
        return {
          utc: now.toISOString(),
          unix: Math.floor(now.getTime() / 1000),
          ...(local && { timezone: zone, local }),
        }
      },
    },
  ],
}

const knowledgeTool = ({ knowledge, retrieval }: BuiltInDependencies): BuiltInTool => ({
  id: 'builtin:knowledge',
  name: 'Knowledge',
  description: 'Finds passages in collections of files.',
  isOffered: async () => true,
  functions: [
    {
      name: 'list_knowledge',
      description: 'The collections of files that can be searched.',
      properties: {},
      required: [],
      run: async (_, { caller }) =>
        (await mapInOrder(await knowledge.readableIds(caller), (id) => knowledge.get(caller, id)))
          .filter((entry) => entry !== null)
          .map(({ id, name, description }) => ({ id, name, description })),
    },
    {
      name: 'search_knowledge',
      description: 'Passages of a collection that answer a question, with the file each is from.',
      properties: {
        knowledge_id: TEXT('Id of the collection'),
        query: TEXT('The question'),
        count: NUMBER('How many passages, 1 to 20'),
      },
      required: ['knowledge_id', 'query'],
      async run(args, { caller, signal }) {
        const found = await knowledge.collections.resolve(
          caller,
          textOf(args, 'knowledge_id'),
          'read',
        )
        if (!found) throw new Error('There is no such collection.')
        const limit = numberOf(args, 'count', { least: 1, most: MOST_FOUND, fallback: 5 })
        const passages = await retrieval.search(
          { texts: [textOf(args, 'query')], collections: [found.scope], limit },
          signal,
        )
        return passages.map(({ document_id, name, page, preface, text }) => ({
          file_id: document_id,
          file: name,
          page,
          text: preface + text,
        }))
      },
    },
  ],
})

const filesTool = ({ files }: BuiltInDependencies): BuiltInTool => ({
  id: 'builtin:files',
  name: 'Files',
  description: 'Reads the text of a file.',
  isOffered: async () => true,
  functions: [
    {
      name: 'view_file',
      description: 'A part of the text of a file.',
      properties: {
        file_id: TEXT('Id of the file'),
        offset: NUMBER('Where to begin, in characters'),
      },
      required: ['file_id'],
      async run(args, { caller }) {
        const file = await files.get(caller.userId, textOf(args, 'file_id'))
        const content = file && (await files.content(file.id))
        if (!file || !content) throw new Error('There is no such file, or it has no text.')
        const offset = numberOf(args, 'offset', {
          least: 0,
          most: content.text.length,
          fallback: 0,
        })
        const text = content.text.slice(offset, offset + LONGEST_PIECE)
        const end = offset + text.length
        return {
          name: file.filename,
          text,
          next_offset: end < content.text.length ? end : null,
          length: content.text.length,
        }
      },
    },
  ],
})

const chatsTool = ({ chats }: BuiltInDependencies): BuiltInTool => ({
  id: 'builtin:chats',
  name: 'Past chats',
  description: 'Finds and reads your earlier chats.',
  isOffered: async () => true,
  functions: [
    {
      name: 'search_chats',
      description: 'Earlier conversations in which words occur.',
      properties: { query: TEXT('The words') },
      required: ['query'],
      run: async (args, { caller }) =>
        (await chats.search(caller.userId, { text: textOf(args, 'query') }))
          .slice(0, MOST_FOUND)
          .map(({ id, title, snippet, updated_at: updatedAt }) => ({
            id,
            title,
            snippet,
            updated_at: updatedAt,
          })),
    },
    {
      name: 'view_chat',
      description: 'The messages of an earlier conversation.',
      properties: { chat_id: TEXT('Id of the conversation') },
      required: ['chat_id'],
      async run(args, { caller }) {
        const id = textOf(args, 'chat_id')
        const { title, currentId } = await chats.branch(caller.userId, id, { limit: 1 })
        const thread = currentId === null ? [] : await chats.spokenThread(id, currentId)
        const text = thread.map(({ role, content }) => `${role}: ${content}`).join('\n\n')
        return { title, text: text.slice(-LONGEST_PIECE) }
      },
    },
  ],
})

const memoryTool = ({ memories, groups, settings }: BuiltInDependencies): BuiltInTool => ({
  id: 'builtin:memory',
  name: 'Memory',
  description: 'Keeps and finds lasting facts about you.',
  isOffered: async (caller) =>
    settings.get('ENABLE_MEMORIES') && (await groups.allows(caller, 'features.memories')),
  functions: [
    {
      name: 'search_memories',
      description: 'Facts kept about the person, those nearest in meaning to a text first.',
      properties: { query: TEXT('The text') },
      required: ['query'],
      async run(args, { caller, signal }) {
        const found = await memories.findByMeaning(caller.userId, textOf(args, 'query'), {
          limit: MOST_FOUND,
          signal,
        })
        return found.map(({ id, content }) => ({ id, content }))
      },
    },
    {
      name: 'add_memory',
      description: 'Keeps a lasting fact about the person.',
      properties: { content: TEXT('The fact, in one sentence') },
      required: ['content'],
      run: async (args, { caller }) => ({
        id: (await memories.add(caller.userId, textOf(args, 'content'))).id,
      }),
    },
    {
      name: 'delete_memory',
      description: 'Forgets a fact about the person.',
      properties: { memory_id: TEXT('Id of the fact') },
      required: ['memory_id'],
      async run(args, { caller }) {
        await memories.remove(caller.userId, textOf(args, 'memory_id'))
        return { deleted: true }
      },
    },
  ],
})

const webTool = ({ webReader, settings, groups }: BuiltInDependencies): BuiltInTool => ({
  id: 'builtin:web',
  name: 'Web pages',
  description: 'Reads pages of the web.',
  isOffered: async (caller) =>
    !isOffline(settings) && (await groups.allows(caller, 'chat.web_upload')),
  functions: [
    {
      name: 'fetch_url',
      description: 'The text of a page or document of the web.',
      properties: { url: TEXT('The address') },
      required: ['url'],
      async run(args, { signal }) {
        const { url, title, text } = await webReader.read(textOf(args, 'url'), signal)
        return { url, title, text: text.slice(0, LONGEST_PIECE) }
      },
    },
  ],
})

/** Creates the tools bundled with the gateway (docs/wire-format.md). */
export const createBuiltInTools = (dependencies: BuiltInDependencies): readonly BuiltInTool[] => [
  time,
  ...[knowledgeTool, filesTool, chatsTool, memoryTool, webTool, picturesTool].map((create) =>
    create(dependencies),
  ),
]
