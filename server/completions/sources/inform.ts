import { flatMapInOrder } from '../../lib/in-order.ts'
import type { ChatCompletionRequest } from '#contract/completions.ts'
import { isRecord } from '../../lib/is-record.ts'
import type { Exchange } from '../exchange.ts'
import type { CompletionsParts } from '../completions-parts.ts'
import { noteMissingFeatures } from '../missing-features.ts'
import { isWebSearched, searchTheWeb } from '../web-search/search-the-web.ts'
import { readEntries, withoutRepeats, type Entry } from './entries.ts'
import { gather } from './gather.ts'
import { withSystem } from '../steps/with-system.ts'
import { escapeName, insertContext } from './write-context.ts'

type Request = ChatCompletionRequest

/** What a request itself says is to be read; `metadata.files` is where filters put theirs. */
const sentItems = ({ files, metadata }: Request): unknown[] => [
  ...(files ?? []),
  ...(isRecord(metadata) && Array.isArray(metadata['files'])
    ? (metadata['files'] as unknown[])
    : []),
]

/**
 * Everything attached to a request: what its caller sent, then messages of the thread, the folder
 * and the model. Only what the caller sent in `files` has to exist: the rest was attached by
 * somebody at another time.
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

/** A folder stands for the files it brings along; one that is not there stays, to be missed. */
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
 * Whether anything could be attached at all, told from the request alone; stored chats may lie in a
 * folder that brings something.
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

/** Files of messages are for the gateway; upstreams do not know the field. */
export const withoutFiles = (messages: Request['messages']): Request['messages'] =>
  messages.some((message) => 'files' in message)
    ? messages.map(({ files: _files, ...message }) => message)
    : messages

/** Gives the model the sources of its answer; the request itself when there is nothing to read. */
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
  // Not before the filters, which may have taken a feature over.
  if (exchange.turn) await noteMissingFeatures(parts, exchange.turn, request.features)
  const entries = mayRead ? await collectEntries(parts, exchange, request) : []
  if (library && (entries.length > 0 || (await isWebSearched(parts, exchange, request)))) {
    return readAll({ parts, library, exchange, request, entries }).then(() =>
      withSources(parts, exchange, request),
    )
  }
  return withSources(parts, exchange, request)
}

/** One after the other, so that what is attached is numbered before what the web says. */
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
