import { createHash } from 'node:crypto'
import type { ImportSource } from '#contract/imports.ts'
import { ServiceError } from '../../lib/errors.ts'
import { checkPlainJson } from '../../lib/json/check-plain-json.ts'
import { MOST_FOLDERS } from '../folders/folder-text.ts'
import {
  asList,
  type ArchiveChat,
  type ArchiveContent,
  type ArchiveFile,
  type ChatSummary,
  type Fields,
} from './archive-chat.ts'
import { PromptCollector } from './collect-prompts.ts'
import { isChatGptChat, parseChatGptChat } from './parse-chatgpt.ts'
import { isClaudeChat, parseClaudeChat } from './parse-claude.ts'
import { isLibreChat, parseLibreChat } from './parse-librechat.ts'
import { isLmStudioChat, parseLmStudioChat } from './parse-lm-studio.ts'
import { isOwnChat, parseOwnChat } from './parse-own.ts'
import type { JsonValue } from './split-json.ts'
import { isRecord } from '../../lib/is-record.ts'

const SOURCES: readonly {
  source: ImportSource
  fits: (value: Fields) => boolean
  parse: (value: Fields) => ArchiveChat | null
}[] = [
  { source: 'chatgpt', fits: isChatGptChat, parse: parseChatGptChat },
  { source: 'claude', fits: isClaudeChat, parse: parseClaudeChat },
  { source: 'lm-studio', fits: isLmStudioChat, parse: parseLmStudioChat },
  { source: 'librechat', fits: isLibreChat, parse: parseLibreChat },
  { source: 'own', fits: isOwnChat, parse: parseOwnChat },
]

/** Errors caused by malformed input; any other is a fault of the disk or of the program. */
const READING_FAULTS = [SyntaxError, RangeError, TypeError, ServiceError]
const LONGEST_KEY = 300
const MOST_PROBLEMS = 200
const MOST_CHATS = 200_000
const LONGEST_TITLE = 200
/** Size limit of folders, all of which are kept in memory until the import. */
const LARGEST_FOLDERS = 32 * 1024 * 1024

const hash = (text: string | Buffer): string => createHash('sha256').update(text).digest('hex')

interface Tree {
  readonly messages: number
  readonly branches: number
}

/** Counts the messages of a body, and those without descendants. */
function countTree({ history, messages }: ArchiveChat['body']): Tree {
  const tree = Object.entries(history?.messages ?? {})
  const listed = messages?.length ?? 0
  if (tree.length === 0) return { messages: listed, branches: Math.min(1, listed) }
  const parents = new Set(
    tree.map(([, message]) => message.parentId).filter((id) => typeof id === 'string'),
  )
  return { messages: tree.length, branches: tree.filter(([id]) => !parents.has(id)).length }
}

/** Files that the collector writes beside the archive. */
export interface CollectorOutput {
  /** Appends a chat to the file of chats. */
  readonly write: (line: string) => { offset: number; length: number }
  /** Writes the bytes of a file under a name that is safe for a path; returns its path. */
  readonly keep: (name: string, bytes: Buffer) => string
}

/** Collects the values of an archive and writes the chats among them to a file, one per line. */
export class ChatCollector {
  readonly #write: CollectorOutput['write']
  readonly #keep: CollectorOutput['keep']
  readonly #chats = new Map<string, ChatSummary>()
  readonly #problems: string[] = []
  #unlisted = 0
  readonly #folders: Fields[] = []
  #folderBytes = 0
  readonly prompts = new PromptCollector((sentence) => this.note(sentence))
  readonly #files = new Map<string, ArchiveFile>()
  #source: ImportSource | null = null
  #members: [string, unknown][] = []

  constructor({ write, keep }: CollectorOutput) {
    this.#write = write
    this.#keep = keep
  }

  take({ name, isElement, text }: JsonValue): void {
    const what = isElement
      ? `Entry ${this.#chats.size + this.#problems.length + 1}`
      : `"${name?.slice(0, LONGEST_TITLE) ?? ''}"`
    if (text === null) return this.note(`${what} is too large and is left out.`)
    this.attempt(what, () => {
      const value: unknown = JSON.parse(text)
      if (isElement) this.#addChat(value)
      else this.#members.push([name ?? '', value])
    })
  }

  /** Handles the end of an outermost object, whose members may be a chat themselves. */
  endDocument(): void {
    const object = Object.fromEntries(this.#members)
    this.#members = []
    this.addFolders(asList(object['folders']).filter(isRecord))
    this.attempt('The file', () => this.#addChat(object))
  }

  /** Starts collecting from the store of a program, which may be empty. */
  begin(source: ImportSource): void {
    this.#source = source
  }

  addFolders(folders: readonly Fields[]): void {
    for (const folder of folders) {
      this.attempt('A folder', () => {
        checkPlainJson(folder)
        const { id, name, parent_id, meta, data, is_expanded } = folder
        const kept = { id, name, parent_id, meta, data, is_expanded }
        this.#folderBytes += JSON.stringify(kept).length
        if (this.#folders.length >= MOST_FOLDERS || this.#folderBytes > LARGEST_FOLDERS)
          return this.note('A folder is one too many and is left out.')
        this.#folders.push(kept)
      })
    }
  }

  addFile(file: ArchiveFile): void {
    this.#files.set(file.id, file)
  }

  keepFile(name: string, bytes: Buffer): string {
    const digest = hash(bytes)
    const id = `sha256:${digest}`
    if (!this.#files.has(id)) {
      const path = this.#keep(digest, bytes)
      this.addFile({ id, name, path, bytes: bytes.length })
    }
    return id
  }

  content(): ArchiveContent | null {
    if (this.#source === null) return null
    const more = this.#unlisted > 0 ? [`${this.#unlisted} more problems are not listed.`] : []
    return {
      source: this.#source,
      chats: [...this.#chats.values()],
      folders: this.#folders,
      prompts: this.prompts.prompts,
      files: [...this.#files.values()],
      problems: [...this.#problems, ...more],
    }
  }

  note(sentence: string): void {
    if (this.#problems.length < MOST_PROBLEMS) this.#problems.push(sentence)
    else this.#unlisted += 1
  }

  #addChat(value: unknown): void {
    const kind = isRecord(value) ? SOURCES.find(({ fits }) => fits(value)) : undefined
    if (!kind || (this.#source !== null && kind.source !== this.#source)) return
    this.#source = kind.source
    const parsed = kind.parse(value as Fields)
    if (parsed) this.add(parsed)
  }

  add(parsed: ArchiveChat): void {
    if (this.#chats.size >= MOST_CHATS)
      return this.note(`Only the first ${MOST_CHATS} chats can be imported at once.`)
    const key =
      parsed.key !== '' && parsed.key.length <= LONGEST_KEY
        ? parsed.key
        : hash(JSON.stringify(parsed.body))
    const line = JSON.stringify({ ...parsed, key })
    const tree = countTree(parsed.body)
    this.#chats.set(key, {
      key,
      title: parsed.title.slice(0, LONGEST_TITLE),
      created_at: parsed.created_at,
      updated_at: parsed.updated_at,
      message_count: tree.messages,
      branch_count: tree.branches,
      fingerprint: hash(line),
      ...this.#write(line),
    })
  }

  /** Runs work so that one malformed chat does not prevent the import of others. */
  attempt(what: string, work: () => void): void {
    try {
      work()
    } catch (error) {
      if (!READING_FAULTS.some((fault) => error instanceof fault)) throw error
      this.note(`${what} cannot be read and is left out.`)
    }
  }
}
