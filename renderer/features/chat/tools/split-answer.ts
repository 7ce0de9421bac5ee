/** A tool call within an answer. */
export interface ShownCall {
  readonly id: string
  readonly name: string
  /** Arguments as the model wrote them. */
  readonly arguments: string
  readonly result: string
  readonly isFailed: boolean
  /** HTML or URLs that the tool returned for display. */
  readonly embeds: readonly string[]
}

/** An answer in order: text and groups of consecutive calls. */
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
    // Written by another client, or by hand.
    return []
  }
}

/** Parses a text stored as JSON; older blocks contain it verbatim. */
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

/** Adds a call to the group right before it; blank lines between calls are ignored. */
function addCall(parts: AnswerPart[], call: ShownCall): void {
  const last = parts.at(-1)
  if (last?.kind === 'calls')
    parts[parts.length - 1] = { kind: 'calls', calls: [...last.calls, call] }
  else parts.push({ kind: 'calls', calls: [call] })
}

/**
 * Splits the blocks that represent calls from a model's text. Nearly every answer has none, which
 * costs one check.
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
  // A block that is still being streamed is not shown partially.
  const rest = text.slice(end)
  const open = rest.indexOf(START)
  addText(open === -1 ? rest : rest.slice(0, open))
  return parts
}

/** Returns the embeds of an answer's tools, in order. */
export const embedsOf = (parts: readonly AnswerPart[]): string[] =>
  parts.flatMap((part) => (part.kind === 'calls' ? part.calls.flatMap(({ embeds }) => embeds) : []))
