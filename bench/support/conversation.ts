const PARAGRAPHS = [
  'Every part of the answer is **read once** and kept; what follows only adds to it. See the [notes](https://example.org/notes) for more.',
  'A list says it better:\n\n- the first point, with `code` in it\n- the second point, a little longer than the first one was\n- the third',
  '```typescript\nexport function add(first: number, second: number): number {\n  return first + second\n}\n```',
  'It ends with a sentence that has *some emphasis*, a number such as 1,234 and nothing else to say about the matter at hand.',
]

/** Returns Markdown as models write it; `index` varies it. */
export const answerText = (index: number): string =>
  `Answer ${index}.\n\n${PARAGRAPHS[index % PARAGRAPHS.length]}\n\n${PARAGRAPHS[3]}`

/** Returns a long answer split into pieces of about a token. */
export function answerPieces(count: number): string[] {
  const pieces: string[] = []
  for (let index = 0; pieces.length < count; index += 1) {
    const section = `## Part ${index + 1}\n\n${PARAGRAPHS.join('\n\n')}\n\n`
    pieces.push(...(section.match(/\s*[^\s]{1,5}|\s+$/g) ?? []))
  }
  return pieces.slice(0, count)
}

interface StoredMessage {
  id: string
  role: string
  content: string
  parentId: string | null
  childrenIds: string[]
  timestamp: number
  [field: string]: unknown
}

/**
 * Builds a chat of one branch as a client would store it; returns the body and the id of the last
 * message.
 */
export function buildConversation(
  title: string,
  length: number,
): { chat: Record<string, unknown>; lastId: string } {
  const messages: Record<string, StoredMessage> = {}
  const idOf = (index: number): string => `${title}-${index}`
  for (let index = 0; index < length; index += 1) {
    const isAnswer = index % 2 === 1
    messages[idOf(index)] = {
      id: idOf(index),
      role: isAnswer ? 'assistant' : 'user',
      content: isAnswer
        ? answerText(index)
        : `Question ${index}: what comes next, and why does it come in that place?`,
      parentId: index === 0 ? null : idOf(index - 1),
      childrenIds: index === length - 1 ? [] : [idOf(index + 1)],
      timestamp: 1_700_000_000 + index,
      ...(isAnswer
        ? { model: 'paced', modelName: 'paced', modelIdx: 0, done: true }
        : { models: ['paced'] }),
    }
  }
  const lastId = idOf(length - 1)
  return { chat: { title, models: ['paced'], history: { currentId: lastId, messages } }, lastId }
}
