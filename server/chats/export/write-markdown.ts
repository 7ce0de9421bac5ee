import { refreshRow, requireOpenChat, type ChatContext } from '../chat-context.ts'
import { findThread, withoutText } from '../reading/render-chat.ts'
import type { ChatRow } from '../store.ts'
import type { LinkRow, MessageRow } from '../chat-rows.ts'
import { listSources } from './list-sources.ts'
import { ownValue } from '../../lib/json/own-value.ts'

const isoTime = (seconds: number): string => {
  const time = new Date(seconds * 1000)
  return Number.isNaN(time.getTime()) ? '' : time.toISOString().replace('T', ' ').slice(0, 16)
}

/** Orders messages for reading: each message before its answers, versions of one after another. */
function orderAsTree(links: readonly LinkRow[]): LinkRow[] {
  const ids = new Set(links.map((link) => link.id))
  const children = Map.groupBy(links, (link) =>
    link.parent_id !== null && ids.has(link.parent_id) ? link.parent_id : null,
  )
  const ordered: LinkRow[] = []
  const stack = (children.get(null) ?? []).toReversed()
  for (let link = stack.pop(); link; link = stack.pop()) {
    ordered.push(link)
    stack.push(...(children.get(link.id) ?? []).toReversed())
  }
  return ordered
}

/**
 * Returns a function that labels a message among its siblings, such as ` (version 2 of 3)`; empty
 * for an only child.
 */
function createVersionNames(links: readonly LinkRow[]): (link: LinkRow) => string {
  const families = Map.groupBy(links, (link) => link.parent_id)
  const places = new Map<number, string>()
  for (const family of families.values()) {
    if (family.length < 2) continue
    for (const [index, link] of family.entries())
      places.set(link.seq, ` (version ${index + 1} of ${family.length})`)
  }
  return (link) => places.get(link.seq) ?? ''
}

const NAMES: Readonly<Record<string, string>> = { user: 'You', system: 'System', tool: 'Tool' }

function speakerOf(row: MessageRow): string {
  const name: unknown = (JSON.parse(row.extra) as Record<string, unknown>)['modelName']
  if (row.role !== 'assistant') return ownValue(NAMES, row.role) ?? row.role
  return typeof name === 'string' && name !== '' ? name : (row.model ?? 'Assistant')
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim()

const writeMessage = (row: MessageRow, version: string): string =>
  `\n## ${oneLine(speakerOf(row))}${version}\n\n*${isoTime(row.timestamp)}*\n\n${row.content.trim()}\n${listSources(row)}`

/**
 * Writes a chat as Markdown, piece by piece: the active thread, or all branches one after another.
 */
export async function* writeMarkdown(
  context: ChatContext,
  chatId: string,
  isThreadOnly: boolean,
): AsyncGenerator<string> {
  const chat: ChatRow = await requireOpenChat(context, chatId)
  const snapshot = await context.store.snapshots.open(chatId)
  try {
    const links = await snapshot.links(snapshot.seqs)
    const wanted = isThreadOnly
      ? new Set(yield* withoutText(findThread(links, chat.current_id)))
      : null
    const shown = wanted ? links.filter((link) => wanted.has(link.seq)) : links
    const versionOf = createVersionNames(shown)
    const ordered = orderAsTree(shown)
    yield `# ${oneLine(chat.title)}\n`
    const bySeq = new Map(ordered.map((link) => [link.seq, link]))
    for await (const page of snapshot.pages([...bySeq.keys()])) {
      for (const row of await snapshot.rows(page))
        yield writeMessage(refreshRow(context, row), versionOf(bySeq.get(row.seq)!))
    }
  } finally {
    snapshot.end()
  }
}
