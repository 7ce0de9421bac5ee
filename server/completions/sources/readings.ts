import { flatMapInOrder, everyInOrder, findInOrder } from '../../lib/in-order.ts'
import type { Message } from '#contract/chats.ts'
import type { Source } from '#contract/completions.ts'
import type { Chats } from '../../chats/index.ts'
import { forbidden, notFound, ServiceError } from '../../lib/errors.ts'
import type { Caller } from '../../lib/http.ts'
import { ownValue } from '../../lib/json/own-value.ts'
import { textOf } from '../message-text.ts'
import type { CompletionsParts } from '../completions-parts.ts'
import { withoutBlocks } from '../../lib/text/answer-blocks.ts'
import type { Entry } from './entries.ts'
import type { Library, LibraryFile } from './library.ts'

/** Text that can be read as a whole. */
export interface WholeText {
  readonly source: Source['source']
  /** Length of the text in UTF-16 units. */
  readonly length: number
  /** Reads the text, which may be long, on demand. */
  readonly read: () => Promise<string>
  /** Id of the file the text comes from, for opening it. */
  readonly fileId: string | null
}

/** Readable contents of an entry, with the caller's access checked. */
export interface Reading {
  readonly isFull: boolean
  /** Index collections to search; empty for texts that are not in the index. */
  readonly collections: readonly string[]
  /** Files that may still have to be extracted. */
  readonly files: readonly LibraryFile[]
  /** Returns all texts; those of files only once they are extracted. */
  readonly texts: () => Promise<readonly WholeText[]>
}

export interface OpenContext {
  readonly library: Library
  readonly chats: Pick<
    Chats,
    'ownerOf' | 'branch' | 'spokenThread' | 'folderFiles' | 'sharedThread'
  >
  readonly caller: Caller
  /** True if the caller may have URLs fetched. */
  readonly mayFetch: boolean
  readonly signal: AbortSignal
}

/** Returns true for files that are shown, not read. */
export const isPicture = (file: LibraryFile): boolean =>
  file.meta.content_type?.startsWith('image/') ?? false

/** Opens an entry; resolves with null if it does not exist or is not accessible to the caller. */
export async function openEntry(context: OpenContext, entry: Entry): Promise<Reading | null> {
  const { type, id, url, content, collections } = entry
  if (type === 'image') return EMPTY
  if (content !== null && (id === null || type === 'text'))
    return ofText(entry, { id, text: content, type: 'text' })
  if (type === 'collection' && !isFetched(entry)) return openCollection(context, entry)
  if (collections.length > 0 && (id === null || type !== 'file'))
    return ofCollections(context, entry)
  if (id !== null && type === 'note') return openNote(context, entry, id)
  if (id !== null && type === 'chat') return openChat(context, entry, id)
  if (id !== null && type === 'file') return openFile(context, entry, id)
  if (url !== null) return openPage(context, entry, url)
  return null
}

/**
 * Returns true if the caller may have URLs fetched; this applies to every fetch, not only to pages
 * added to collections.
 */
export const mayFetch = async ({ groups }: CompletionsParts, caller: Caller): Promise<boolean> =>
  caller.role === 'admin' || (await groups.allows(caller, 'chat.web_upload'))

const notPermitted = () =>
  forbidden('You do not have permission to attach pages of the web. Ask an administrator.', {
    code: 'not_permitted',
  })

const EMPTY: Reading = { isFull: false, collections: [], files: [], texts: async () => [] }

/** Returns true if opening an entry sends a request to its URL. */
const isFetched = ({ type, id, url, content, collections }: Entry): boolean =>
  url !== null &&
  content === null &&
  collections.length === 0 &&
  type !== 'image' &&
  (id === null || !READ_BY_ID.has(type))

const READ_BY_ID = new Set(['file', 'collection', 'note', 'chat', 'folder'])

/**
 * Throws, before anything is written, for entries the caller names but may not read; the same 404
 * as for entries that do not exist.
 */
export async function requireReadable(
  { library, chats, caller, mayFetch }: Omit<OpenContext, 'signal'>,
  entries: readonly Entry[],
): Promise<void> {
  for (const entry of entries) {
    const { type, id, content, collections } = entry
    if (type === 'image' || (content !== null && (id === null || type === 'text'))) continue
    if (
      !(await everyInOrder(
        collections,
        async (name) => (await library.scopeOf(caller, name)) !== null,
      ))
    )
      throw missing(entry)
    if (isFetched(entry) && !mayFetch) throw notPermitted()
    if (type === 'collection') {
      if (!isFetched(entry) && (await findCollection(library, caller, entry)) === null)
        throw missing(entry)
      continue
    }
    if (id === null) continue
    const isKnown =
      (type === 'file' && (await library.files.get(caller.userId, id)) !== null) ||
      (type === 'note' && (await findNote(library, caller, id)) !== null) ||
      (type === 'chat' &&
        ((await chats.ownerOf(id)) === caller.userId ||
          (await chats.sharedThread(caller, id)) !== null)) ||
      (type === 'folder' && (await chats.folderFiles(caller.userId, id)) !== null) ||
      !['file', 'note', 'chat', 'folder'].includes(type)
    if (!isKnown) throw missing(entry)
  }
}

const WORDS: Readonly<Record<string, string>> = {
  file: 'file',
  collection: 'knowledge collection',
  note: 'note',
  chat: 'chat',
  folder: 'folder',
}

export const missing = ({ type, name }: Entry): ServiceError =>
  notFound(
    `The attached ${ownValue(WORDS, type) ?? 'source'}${name === null ? '' : ` "${name.slice(0, 100)}"`} does not exist. Remove it and ask again.`,
  )

function ofText(
  { isFull, name }: Entry,
  { id, text, type }: { id: string | null; text: string; type: string },
): Reading {
  const source = { ...(id !== null && { id }), name: name ?? 'Text', type }
  return { isFull, collections: [], files: [], texts: async () => [toText(source, text)] }
}

const toText = (source: Source['source'], text: string): WholeText => ({
  source,
  length: text.length,
  read: async () => text,
  fileId: null,
})

async function ofCollections(
  { library, caller }: OpenContext,
  { collections, isFull }: Entry,
): Promise<Reading | null> {
  const scopes = await flatMapInOrder(
    collections,
    async (name) => (await library.scopeOf(caller, name)) ?? [],
  )
  return scopes.length < collections.length
    ? null
    : { isFull, collections: scopes, files: [], texts: async () => [] }
}

async function findNote(library: Library, caller: Caller, id: string) {
  try {
    return await library.notes.get(caller, id)
  } catch (error) {
    if (error instanceof ServiceError && error.status === 404) return null
    throw error
  }
}

async function openNote(
  { library, caller }: OpenContext,
  entry: Entry,
  id: string,
): Promise<Reading | null> {
  const note = await findNote(library, caller, id)
  return (
    note &&
    ofText({ ...entry, name: note.title }, { id, text: note.data.content?.md ?? '', type: 'note' })
  )
}

type Spoken = Pick<Message, 'role' | 'content'>

/** Reads the caller's own chat, or the part of another user's chat that a share link shows. */
async function readThread(
  { chats, caller }: OpenContext,
  id: string,
): Promise<{ title: string; messages: readonly Spoken[] } | null> {
  if ((await chats.ownerOf(id)) !== caller.userId) return chats.sharedThread(caller, id)
  // The chat may be long; this is the only page of it that is needed.
  const { title, currentId } = await chats.branch(caller.userId, id, { limit: 1 })
  return { title, messages: currentId ? await chats.spokenThread(id, currentId) : [] }
}

async function openChat(context: OpenContext, entry: Entry, id: string): Promise<Reading | null> {
  const thread = await readThread(context, id)
  if (!thread) return null
  const { title } = thread
  const lines = thread.messages.map(
    ({ role, content }) =>
      `${role === 'user' ? 'Person' : 'Model'}: ${withoutBlocks(textOf(content))}`,
  )
  return ofText({ ...entry, name: title }, { id, text: lines.join('\n\n'), type: 'chat' })
}

async function toWhole({ files }: Library, file: LibraryFile): Promise<WholeText[]> {
  const length = await files.textLength(file.id)
  const read = async () => (await files.content(file.id))?.text ?? ''
  return length === null
    ? []
    : [
        {
          source: { id: file.id, name: file.filename, type: 'file' },
          length,
          read,
          fileId: file.id,
        },
      ]
}

async function openFile(
  { library, caller }: OpenContext,
  { isFull }: Entry,
  id: string,
): Promise<Reading | null> {
  const file = await library.files.get(caller.userId, id)
  if (!file) return null
  if (isPicture(file)) return EMPTY
  return { isFull, collections: [`file-${id}`], files: [file], texts: () => toWhole(library, file) }
}

/**
 * Returns a file collection by its id, or index names: the explicit ones, otherwise the id,
 * otherwise the name.
 */
async function findCollection(
  { knowledge, scopeOf }: Pick<Library, 'knowledge' | 'scopeOf'>,
  caller: Caller,
  { id, name, collections }: Entry,
): Promise<{ readonly knowledgeId: string } | { readonly names: readonly string[] } | null> {
  if (id !== null && (await knowledge.get(caller, id))) return { knowledgeId: id }
  const spellings = [collections, id === null ? [] : [id], name === null ? [] : [name]]
  const names = await findInOrder(
    spellings,
    async (each) =>
      each.length > 0 &&
      (await everyInOrder(each, async (one) => (await scopeOf(caller, one)) !== null)),
  )
  return names ? { names } : null
}

async function openCollection(context: OpenContext, entry: Entry): Promise<Reading | null> {
  const { library, caller } = context
  const found = await findCollection(library, caller, entry)
  if (!found) return null
  if ('names' in found) return ofCollections(context, { ...entry, collections: found.names })
  const { knowledgeId: id } = found
  const texts = async () =>
    await flatMapInOrder(await library.knowledge.fileIds(id), async (fileId) => {
      const file = await library.files.get(caller.userId, fileId)
      return file ? await toWhole(library, file) : []
    })
  return { isFull: entry.isFull, collections: [id], files: [], texts }
}

async function openPage(
  { library, mayFetch, signal }: OpenContext,
  entry: Entry,
  address: string,
): Promise<Reading> {
  if (!mayFetch) throw notPermitted()
  const { url, title, text } = await library.readPage(address, signal)
  const source = { id: url, name: title ?? url, type: 'url', url }
  return {
    isFull: entry.isFull,
    collections: [],
    files: [],
    texts: async () => [toText(source, text)],
  }
}
