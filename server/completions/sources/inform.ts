import { flatMapInOrder } from '../../lib/in-order.ts'
import type { ChatCompletionRequest } from '#contract/completions.ts'
import { isRecord } from '../../lib/is-record.ts'
import type { Exchange } from '../exchange.ts'
import type { CompletionsParts } from '../completions-parts.ts'
import { noteMissingFeatures } from '../prepare/missing-features.ts'
import { isWebSearched, searchTheWeb } from '../web-search/search-the-web.ts'
import { readEntries, withoutRepeats, type Entry } from './entries.ts'
import { gather } from './gather.ts'
import { withSystem } from '../prepare/with-system.ts'
import { escapeName, insertContext } from './write-context.ts'

type Request = ChatCompletionRequest

/** Returns the items the request itself names; `metadata.files` is where filters add theirs. */
const sentItems = ({ files, metadata }: Request): unknown[] => [
  ...(files ?? []),
  ...(isRecord(metadata) && Array.isArray(metadata['files'])
    ? (metadata['files'] as unknown[])
    : []),
]

/**
 * Returns all items attached to a request: those its caller sent, then those of the thread's
 * messages, the folder and the model. Only those the caller sent in `files` must exist: the rest
 * was attached earlier, possibly by other users.
 */
async function collectEntries(
  { chats }: CompletionsParts,
  exchange: Exchange,
  request: Request,
): Promise<Entry[]> {
  const { turn, resolved, sent } = exchange
  const wasSent = new Set<unknown>(sent.files ?? [])
  const own = sentItems(request).flatMap((item) => readEntries([item], wasSent.has(item)))
  const ofMessages = request.messages.flatMap(({ role, files }) =>
    role === 'user' ? readEntries(files, false) : [],
  )
  const folder = turn?.temporarySession === null ? await exchange.folder() : null
  const opened = await flatMapInOrder([...own, ...ofMessages], (entry) =>
    openFolder(chats, exchange, { ...entry, isAttached: true }),
  )
  return withoutRepeats([
    ...opened,
    ...readEntries(folder?.files, false),
    ...readEntries(resolved.preset?.meta['knowledge'], false),
  ])
}

/**
 * Replaces a folder with its files; a missing folder is kept, so that it is reported as missing.
 */
async function openFolder(
  chats: CompletionsParts['chats'],
  { caller }: Exchange,
  entry: Entry,
): Promise<Entry[]> {
  const files =
    entry.type === 'folder' && entry.id !== null
      ? await chats.folderFiles(caller.userId, entry.id)
      : null
  return files === null
    ? [entry]
    : readEntries(files, false).filter(({ type }) => type !== 'folder')
}

/**
 * Reports whether anything could be attached at all, judged by the request alone; stored chats may
 * be in a folder with files.
 */
const mayBringAlong = (
  { turn, resolved }: Exchange,
  { files, metadata, messages }: Request,
): boolean =>
  turn !== null ||
  Boolean(files?.length) ||
  metadata !== undefined ||
  resolved.preset !== null ||
  messages.some((message) => message['files'] !== undefined)

/** Removes the files of messages, a gateway field that upstreams do not know. */
export const withoutFiles = (messages: Request['messages']): Request['messages'] =>
  messages.some((message) => 'files' in message)
    ? messages.map(({ files: _files, ...message }) => message)
    : messages

/**
 * Adds the sources of the answer to the request; returns the request itself if there is nothing to
 * read.
 */
export function inform(
  parts: CompletionsParts,
  exchange: Exchange,
  request: Request,
): Request | Promise<Request> {
  const { turn, handlesFiles } = exchange
  const mayRead = Boolean(parts.library) && !handlesFiles && mayBringAlong(exchange, request)
  return mayRead || (request.features && (turn || parts.library))
    ? informFrom(parts, exchange, { request, mayRead })
    : withSources(parts, exchange, request)
}

async function informFrom(
  parts: CompletionsParts,
  exchange: Exchange,
  { request, mayRead }: { readonly request: Request; readonly mayRead: boolean },
): Promise<Request> {
  const { library } = parts
  // Only after the filters, which may have taken over a feature.
  if (exchange.turn) await noteMissingFeatures(parts, exchange.turn, request.features)
  const entries = mayRead ? await collectEntries(parts, exchange, request) : []
  if (library && (entries.length > 0 || (await isWebSearched(parts, exchange, request)))) {
    return readAll({ parts, library, exchange, request, entries }).then(() =>
      withSources(parts, exchange, request),
    )
  }
  return withSources(parts, exchange, request)
}

/** Reads sequentially, so that attached sources are numbered before those of the web. */
async function readAll(reading: Parameters<typeof gather>[0]): Promise<void> {
  const { parts, exchange, request, entries } = reading
  if (entries.length > 0) await gather(reading)
  if (await isWebSearched(parts, exchange, request)) await searchTheWeb(reading)
}

const tellLeftOut = (names: readonly string[]): string =>
  `These files are attached, but you were not given anything of them: ${names.map((name) => `"${escapeName(name)}"`).join(', ')}. Say so where it matters.`

function withSources(
  { settings, library }: CompletionsParts,
  { findings }: Exchange,
  request: Request,
): Request {
  const known = library ? withoutFiles(request.messages) : request.messages
  const messages =
    findings.leftOut.length === 0 ? known : withSystem(known, tellLeftOut(findings.leftOut))
  if (findings.sources.length === 0)
    return messages === request.messages ? request : { ...request, messages }
  const filling = {
    template: settings.get('RAG_TEMPLATE'),
    sources: findings.sources,
    inSystem: settings.get('RAG_SYSTEM_CONTEXT'),
  }
  return { ...request, messages: insertContext(messages, filling) }
}
