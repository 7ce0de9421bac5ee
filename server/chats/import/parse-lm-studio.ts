import { asList, toSeconds, type ArchiveChat, type Fields } from './archive-chat.ts'
import { asText } from '../../lib/text/as-text.ts'
import { buildBody, type AttachedFile, type ParsedMessage } from './build-body.ts'
import { isRecord } from '../../lib/is-record.ts'

const hasVersions = (message: unknown): boolean =>
  isRecord(message) && Array.isArray(message['versions'])

/** Recognises a conversation file of LM Studio: messages, each with its versions. */
export const isLmStudioChat = (value: Fields): boolean =>
  Array.isArray(value['messages']) &&
  value['messages'].length > 0 &&
  value['messages'].every(hasVersions)

/** Returns the attachment for a file of a message; null if its name is to stand in the text. */
export type CarryPart = (part: Fields) => AttachedFile | null

const carryNothing: CarryPart = () => null

/** Returns the name of a file under which LM Studio stores it. */
export const identifierOf = (part: Fields): string =>
  asText(part['fileIdentifier']) || asText(part['identifier'])

const nameOf = (part: Fields): string => asText(part['name']) || identifierOf(part) || 'unnamed'

interface ReadParts {
  readonly content: string
  readonly files: readonly AttachedFile[]
}

function readParts(content: unknown, carry: CarryPart): ReadParts {
  if (typeof content === 'string') return { content, files: [] }
  const texts: string[] = []
  const files: AttachedFile[] = []
  for (const part of asList(content).filter(isRecord)) {
    if (part['type'] === 'text') texts.push(asText(part['text']))
    if (part['type'] !== 'file') continue
    const carried = carry(part)
    if (carried) files.push(carried)
    else texts.push(`*[File: ${nameOf(part)}]*`)
  }
  return { content: texts.filter((text) => text !== '').join('\n\n'), files }
}

interface Said extends Partial<ReadParts> {
  readonly content: string
  readonly reasoning: string
  readonly model: string | null
}

const isThought = ({ style }: Fields): boolean => isRecord(style) && style['type'] === 'thinking'

function readModel(step: Fields): string | null {
  const info = step['genInfo']
  if (!isRecord(info)) return null
  return asText(info['identifier']) || asText(info['indexedModelIdentifier']) || null
}

function readVersion(version: Fields, carry: CarryPart): Said {
  if (version['type'] !== 'multiStep')
    return { ...readParts(version['content'], carry), reasoning: '', model: null }
  const blocks = asList(version['steps'])
    .filter(isRecord)
    .filter(({ type }) => type === 'contentBlock')
  const textOf = (steps: readonly Fields[]): string =>
    steps
      .map(({ content }) => readParts(content, carryNothing).content)
      .filter((text) => text !== '')
      .join('\n\n')
  return {
    content: textOf(blocks.filter((step) => !isThought(step))),
    reasoning: textOf(blocks.filter(isThought)),
    model: blocks.map(readModel).find((model) => model !== null) ?? null,
  }
}

const toRole = (role: unknown): ParsedMessage['role'] | null =>
  role === 'user' || role === 'assistant' || role === 'system' ? role : null

/** Reads the versions of one message as siblings; the next message follows the selected one. */
function readMessage(
  message: Fields,
  place: {
    readonly index: number
    readonly parentId: string | null
    readonly carry: CarryPart
  },
): { readonly parsed: ParsedMessage[]; readonly chosen: string | null } {
  const versions = asList(message['versions']).filter(isRecord)
  const wanted = Number(message['currentlySelected'] ?? 0)
  const parsed = versions.flatMap((version, number): ParsedMessage[] => {
    const role = toRole(version['role'])
    if (role === null) return []
    const id = `${place.index}-${number}`
    return [
      { id, parentId: place.parentId, role, time: null, ...readVersion(version, place.carry) },
    ]
  })
  const chosen = parsed.find(({ id }) => id === `${place.index}-${wanted}`) ?? parsed.at(-1)
  return { parsed, chosen: chosen?.id ?? place.parentId }
}

/**
 * Parses a conversation file of LM Studio. `folder` is its path below the folder of conversations.
 */
export function parseLmStudioChat(
  source: Fields,
  folder: string | null = null,
  carry: CarryPart = carryNothing,
): ArchiveChat | null {
  const created = toSeconds(source['createdAt'])
  const messages: ParsedMessage[] = []
  let last: string | null = null
  for (const [index, message] of asList(source['messages']).entries()) {
    if (!isRecord(message)) continue
    const { parsed, chosen } = readMessage(message, { index, parentId: last, carry })
    messages.push(...parsed)
    last = chosen
  }
  if (messages.length === 0) return null
  const title = asText(source['name'])
  return {
    // The user may rename the file, but the creation time never changes.
    key: typeof source['createdAt'] === 'number' ? String(source['createdAt']) : '',
    title,
    created_at: created,
    updated_at: toSeconds(source['assistantLastMessagedAt']) ?? created,
    pinned: source['pinned'] === true,
    archived: false,
    folder,
    body: buildBody({ title, created, messages, currentId: last }),
  }
}
