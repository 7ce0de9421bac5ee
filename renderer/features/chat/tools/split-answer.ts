/** A call of a tool within an answer. */
export interface ShownCall {
  readonly id: string
  readonly name: string
  /** As the model wrote them. */
  readonly arguments: string
  readonly result: string
  readonly isFailed: boolean
  /** HTML or addresses the tool gave to be looked at. */
  readonly embeds: readonly string[]
}

/** An answer in the order it came: text, and calls that stand together. */
export type AnswerPart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'calls'; readonly calls: readonly ShownCall[] }

const START = '<details type="tool_calls"'
const BLOCK =
  /<details type="tool_calls"((?:\s[\w-]+="[^"]*")*)>\s*<summary>([^<]*)<\/summary>([^<]*)<\/details>\n?/g
const ATTRIBUTE = /\s([\w-]+)="([^"]*)"/g

const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  '#10': '\n',
  '#13': '\r',
  '#39': "'",
}

const unescape = (text: string): string =>
  text.replace(/&(amp|lt|gt|quot|#10|#13|#39);/g, (_, name: string) => ENTITIES[name]!)

function readEmbeds(text: string | undefined): string[] {
  try {
    const embeds: unknown = JSON.parse(text ?? '[]')
    return Array.isArray(embeds) ? embeds.filter((embed) => typeof embed === 'string') : []
  } catch {
    // Written by another program, or by hand.
    return []
  }
}

/** A text that was written as JSON; blocks of earlier times hold it as it is. */
function readText(text: string): string {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'string' ? value : text
  } catch {
    return text
  }
}

function readCall(attributes: string, summary: string, body: string): ShownCall {
  const found = Object.fromEntries(
    [...attributes.matchAll(ATTRIBUTE)].map(([, name, value]) => [name, unescape(value ?? '')]),
  )
  return {
    id: found['id'] ?? '',
    name: found['name'] ?? '',
    arguments: readText(found['arguments'] ?? ''),
    result: body === '' ? (found['result'] ?? '') : readText(unescape(body)),
    isFailed: summary === 'Tool failed',
    embeds: readEmbeds(found['embeds']),
  }
}

/** Adds a call to those right before it; blank lines between calls are nothing to read. */
function addCall(parts: AnswerPart[], call: ShownCall): void {
  const last = parts.at(-1)
  if (last?.kind === 'calls')
    parts[parts.length - 1] = { kind: 'calls', calls: [...last.calls, call] }
  else parts.push({ kind: 'calls', calls: [call] })
}

/**
 * Takes the blocks that stand for calls out of the text of a model. Nearly every answer has none,
 * which costs one look.
 */
export function splitAnswer(text: string): readonly AnswerPart[] {
  if (!text.includes(START)) return [{ kind: 'text', text }]
  const parts: AnswerPart[] = []
  let end = 0
  const addText = (piece: string): void => {
    if (piece.trim() !== '') parts.push({ kind: 'text', text: piece })
  }
  for (const match of text.matchAll(BLOCK)) {
    addText(text.slice(end, match.index))
    addCall(parts, readCall(match[1] ?? '', match[2] ?? '', (match[3] ?? '').trim()))
    end = match.index + match[0].length
  }
  // A block that is still being written is not shown half.
  const rest = text.slice(end)
  const open = rest.indexOf(START)
  addText(open === -1 ? rest : rest.slice(0, open))
  return parts
}

/** What the tools of an answer gave to be looked at, in order. */
export const embedsOf = (parts: readonly AnswerPart[]): string[] =>
  parts.flatMap((part) => (part.kind === 'calls' ? part.calls.flatMap(({ embeds }) => embeds) : []))
