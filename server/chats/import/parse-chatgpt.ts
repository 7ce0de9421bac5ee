import { asList, fence, toSeconds, type ArchiveChat, type Fields } from './archive-chat.ts'
import { buildBody, type ParsedMessage } from './build-body.ts'
import { asText } from '../../lib/text/as-text.ts'
import { isRecord } from '../../lib/is-record.ts'

interface Node {
  readonly id: string
  readonly parent: string | null
  readonly children: readonly string[]
  readonly role: 'user' | 'assistant' | 'system'
  readonly text: string
  readonly reasoning: string
  readonly model: string | null
  readonly time: number | null
}

/** Citation marks, which refer to nothing outside of the service. */
const CITATIONS = /\uE200[^\uE201]*\uE201/g

export const isChatGptChat = (value: Fields): boolean => isRecord(value['mapping'])

function readPart(part: unknown): string {
  if (typeof part === 'string') return part
  if (!isRecord(part)) return ''
  if (typeof part['text'] === 'string') return part['text']
  const type = asText(part['content_type'])
  if (type.includes('image')) return '*[Picture]*'
  return type.includes('audio') || type.includes('video') ? '*[Recording]*' : ''
}

/** Returns the text of a message according to its content type. */
function readContent(content: Fields): string {
  const text = asText(content['text'])
  switch (content['content_type']) {
    case 'code': {
      const language = asText(content['language'])
      return text.trim() === '' ? '' : fence(text, language === 'unknown' ? '' : language)
    }
    case 'execution_output':
      return text.trim() === '' ? '' : fence(text)
    case 'tether_quote':
      return [
        `> **${asText(content['title'])}** ${asText(content['url'])}`,
        ...text.split('\n').map((line) => `> ${line}`),
      ].join('\n')
    case 'tether_browsing_display':
      return asText(content['result'])
    case 'thoughts':
    case 'reasoning_recap':
    case 'user_editable_context':
    case 'model_editable_context':
      return ''
    default:
      return [...asList(content['parts']).map(readPart), text]
        .filter((part) => part.trim() !== '')
        .join('\n\n')
  }
}

function readThoughts(content: Fields): string {
  const thoughts = asList(content['thoughts']).filter(isRecord)
  return thoughts
    .map((thought) => asText(thought['content']) || asText(thought['summary']))
    .join('\n\n')
}

function readFileNames(metadata: Fields): string {
  const names = asList(metadata['attachments'])
    .filter(isRecord)
    .map((file) => asText(file['name']))
  return names
    .filter((name) => name !== '')
    .map((name) => `*[File: ${name}]*`)
    .join('\n')
}

const toRole = (role: string): Node['role'] =>
  role === 'user' || role === 'system' ? role : 'assistant'

/** Reads a node of the tree; its text is empty if users never saw it. */
function readNode(id: string, source: Fields): Node {
  const message = isRecord(source['message']) ? source['message'] : {}
  const metadata = isRecord(message['metadata']) ? message['metadata'] : {}
  const content = isRecord(message['content']) ? message['content'] : {}
  const author = isRecord(message['author']) ? message['author'] : {}
  const isHidden = metadata['is_visually_hidden_from_conversation'] === true
  const text = [readContent(content).replace(CITATIONS, ''), readFileNames(metadata)]
    .filter((part) => part.trim() !== '')
    .join('\n\n')
  return {
    id,
    parent: typeof source['parent'] === 'string' ? source['parent'] : null,
    children: asList(source['children']).filter((child) => typeof child === 'string'),
    role: toRole(asText(author['role'])),
    text: isHidden ? '' : text,
    reasoning: isHidden ? '' : readThoughts(content),
    model: asText(metadata['model_slug']) || null,
    time: toSeconds(message['create_time']),
  }
}

const isShown = (node: Node): boolean => node.text !== '' || node.reasoning !== ''

/**
 * Creates the function that finds the nearest visible ancestor of a node, including the node
 * itself; null above the first.
 */
function createClimb(nodes: ReadonlyMap<string, Node>): (id: string | null) => Node | null {
  return (id) => {
    const seen = new Set<string>()
    for (
      let node = nodes.get(id ?? '');
      node && !seen.has(node.id);
      node = nodes.get(node.parent ?? '')
    ) {
      if (isShown(node)) return node
      seen.add(node.id)
    }
    return null
  }
}

/** Returns the visible nodes with parents before children and siblings in the order of the tree. */
function orderNodes(nodes: ReadonlyMap<string, Node>): Node[] {
  const ordered = new Map<string, Node>()
  const stack = [...nodes.values()].filter((node) => !nodes.has(node.parent ?? '')).reverse()
  for (let node = stack.pop(); node; node = stack.pop()) {
    if (ordered.has(node.id)) continue
    ordered.set(node.id, node)
    for (const child of node.children.toReversed())
      if (nodes.has(child)) stack.push(nodes.get(child)!)
  }
  return [...ordered.values()].filter(isShown)
}

const join = (one: string, other: string): string =>
  [one, other].filter((text) => text !== '').join('\n\n')

/**
 * Joins nodes to answers: reasoning, tool calls, their results and the texts around them are
 * separate nodes there; here they are one answer if there is no branch between them.
 */
function joinTurns(nodes: ReadonlyMap<string, Node>): {
  messages: ParsedMessage[]
  idOf: (node: Node) => string
} {
  const climb = createClimb(nodes)
  const ordered = orderNodes(nodes)
  const parents = new Map(ordered.map((node) => [node, climb(node.parent)]))
  const families = Map.groupBy(ordered, (node) => parents.get(node) ?? null)
  const messages = new Map<string, ParsedMessage>()
  const joined = new Map<Node, string>()
  for (const node of ordered) {
    const parent = parents.get(node) ?? null
    const parentId = parent === null ? null : (joined.get(parent) ?? null)
    const before = parentId === null ? undefined : messages.get(parentId)
    const goesOn =
      node.role === 'assistant' &&
      parent?.role === 'assistant' &&
      families.get(parent)?.length === 1
    const known = goesOn ? before : undefined
    const { id, role, text, reasoning, model, time } = node
    joined.set(node, known?.id ?? id)
    messages.set(
      known?.id ?? id,
      known
        ? {
            ...known,
            content: join(known.content, text),
            reasoning: join(known.reasoning, reasoning),
            model: model ?? known.model,
          }
        : { id, parentId, role, content: text, reasoning, model, time },
    )
  }
  return { messages: [...messages.values()], idOf: (node) => joined.get(node) ?? node.id }
}

/** Parses a conversation of a ChatGPT export. */
export function parseChatGptChat(source: Fields): ArchiveChat | null {
  const entries = Object.entries(source['mapping'] as Fields).flatMap(([id, node]) =>
    isRecord(node) ? [readNode(id, node)] : [],
  )
  const nodes = new Map(entries.map((node) => [node.id, node]))
  const { messages, idOf } = joinTurns(nodes)
  const key = asText(source['conversation_id']) || asText(source['id'])
  if (messages.length === 0) return null
  const current = createClimb(nodes)(asText(source['current_node']))
  const created = toSeconds(source['create_time'])
  return {
    key,
    title: asText(source['title']),
    created_at: created,
    updated_at: toSeconds(source['update_time']),
    pinned: source['is_starred'] === true,
    archived: source['is_archived'] === true,
    folder: null,
    body: buildBody({
      title: asText(source['title']),
      created,
      messages,
      currentId: current ? idOf(current) : null,
    }),
  }
}
