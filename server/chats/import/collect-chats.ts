import { createHash } from 'node:crypto'
import type { ImportSource } from '#contract/imports.ts'
import { ServiceError } from '../../lib/errors.ts'
import { checkPlainJson } from '../../lib/check-plain-json.ts'
import { MOST_FOLDERS } from '../folders/folder-text.ts'
import {
  asList,
  isObject,
  type ArchiveChat,
  type ArchiveContent,
  type ChatSummary,
  type Fields,
} from './archive-chat.ts'
import { isChatGptChat, parseChatGptChat } from './parse-chatgpt.ts'
import { isClaudeChat, parseClaudeChat } from './parse-claude.ts'
import { isOwnChat, parseOwnChat } from './parse-own.ts'
import type { JsonValue } from './split-json.ts'

const SOURCES: readonly {
  source: ImportSource
  fits: (value: Fields) => boolean
  parse: (value: Fields) => ArchiveChat | null
}[] = [
  { source: 'chatgpt', fits: isChatGptChat, parse: parseChatGptChat },
  { source: 'claude', fits: isClaudeChat, parse: parseClaudeChat },
  { source: 'own', fits: isOwnChat, parse: parseOwnChat },
]

/** What badly formed input causes; anything else is a fault of the disk or of the program. */
const READING_FAULTS = [SyntaxError, RangeError, TypeError, ServiceError]
const LONGEST_KEY = 300
const MOST_PROBLEMS = 200
const MOST_CHATS = 200_000
const LONGEST_TITLE = 200
/** All folders wait in memory until the import. */
const LARGEST_FOLDERS = 32 * 1024 * 1024

const hash = (text: string): string => createHash('sha256').update(text).digest('hex')

interface Tree {
  readonly messages: number
  readonly branches: number
}

/** Messages of a body, and how many of them nothing follows. */
function countTree({ history, messages }: ArchiveChat['body']): Tree {
  const tree = Object.entries(history?.messages ?? {})
  const listed = messages?.length ?? 0
  if (tree.length === 0) return { messages: listed, branches: Math.min(1, listed) }
  const parents = new Set(
    tree.map(([, message]) => message.parentId).filter((id) => typeof id === 'string'),
  )
  return { messages: tree.length, branches: tree.filter(([id]) => !parents.has(id)).length }
}

/** Takes the values of an archive and writes the chats among them down, one a line. */
export interface ChatCollector {
  take(value: JsonValue): void
  /** The members of an outermost object are over; they may be a chat themselves. */
  endDocument(): void
  content(): ArchiveContent | null
}

export function createChatCollector(
  write: (line: string) => { offset: number; length: number },
): ChatCollector {
  const chats = new Map<string, ChatSummary>()
  const problems: string[] = []
  let unlisted = 0
  const folders: Fields[] = []
  let folderBytes = 0
  let source: ImportSource | null = null
  let members: [string, unknown][] = []

  function addProblem(sentence: string): void {
    if (problems.length < MOST_PROBLEMS) problems.push(sentence)
    else unlisted += 1
  }

  function addChat(value: unknown): void {
    const kind = isObject(value) ? SOURCES.find(({ fits }) => fits(value)) : undefined
    if (!kind || (source !== null && kind.source !== source)) return
    source = kind.source
    const parsed = kind.parse(value as Fields)
    if (!parsed) return
    if (chats.size >= MOST_CHATS)
      return addProblem(`Only the first ${MOST_CHATS} chats can be imported at once.`)
    const key =
      parsed.key !== '' && parsed.key.length <= LONGEST_KEY
        ? parsed.key
        : hash(JSON.stringify(parsed.body))
    const line = JSON.stringify({ ...parsed, key })
    const tree = countTree(parsed.body)
    chats.set(key, {
      key,
      title: parsed.title.slice(0, LONGEST_TITLE),
      created_at: parsed.created_at,
      updated_at: parsed.updated_at,
      message_count: tree.messages,
      branch_count: tree.branches,
      fingerprint: hash(line),
      ...write(line),
    })
  }

  /** One broken chat does not spoil the others. */
  function attempt(what: string, work: () => void): void {
    try {
      work()
    } catch (error) {
      if (!READING_FAULTS.some((fault) => error instanceof fault)) throw error
      addProblem(`${what} cannot be read and is left out.`)
    }
  }

  return {
    take({ name, isElement, text }) {
      const what = isElement
        ? `Entry ${chats.size + problems.length + 1}`
        : `"${name?.slice(0, LONGEST_TITLE) ?? ''}"`
      if (text === null) return addProblem(`${what} is too large and is left out.`)
      attempt(what, () => {
        const value: unknown = JSON.parse(text)
        if (isElement) addChat(value)
        else members.push([name ?? '', value])
      })
    },
    endDocument() {
      const object = Object.fromEntries(members)
      members = []
      for (const folder of asList(object['folders']).filter(isObject)) {
        attempt('A folder', () => {
          checkPlainJson(folder)
          const { id, name, parent_id, meta, data, is_expanded } = folder
          const kept = { id, name, parent_id, meta, data, is_expanded }
          folderBytes += JSON.stringify(kept).length
          if (folders.length >= MOST_FOLDERS || folderBytes > LARGEST_FOLDERS)
            return addProblem('A folder is one too many and is left out.')
          folders.push(kept)
        })
      }
      attempt('The file', () => addChat(object))
    },
    content() {
      if (source === null) return null
      const more = unlisted > 0 ? [`${unlisted} more problems are not listed.`] : []
      return { source, chats: [...chats.values()], folders, problems: [...problems, ...more] }
    },
  }
}
