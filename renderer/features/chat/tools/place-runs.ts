import type { AnswerPart, ShownCall } from './split-answer.ts'
import { isRecord, type Fields } from '../../../lib/fields.ts'

/** A part of an answer; code runs are placed where the model started them. */
export type PlacedPart = AnswerPart | { readonly kind: 'runs'; readonly runs: readonly Fields[] }

export interface PlacedRuns {
  readonly parts: readonly PlacedPart[]
  /** Runs not referenced in the text, such as those of plugins and one still in progress. */
  readonly rest: readonly Fields[]
}

const CODE_TOOL = 'execute_code'
const START = '<details type="code_interpreter"'
const HEAD =
  /<details type="code_interpreter"((?:\s[\w-]+="[^"]*")*)>\n<summary>[^<]{0,100}<\/summary>\n(`{3,40})python\n/y
const ID = /\sid="([^"]*)"/

/** Returns the code a model passed to the tool; null for a call of another tool. */
function codeOf(call: ShownCall): string | null {
  if (call.name !== CODE_TOOL) return null
  try {
    const code: unknown = (JSON.parse(call.arguments) as Fields).code
    return typeof code === 'string' ? code : null
  } catch {
    return null
  }
}

/** Hands out the reported runs, each once. */
class ToldRuns {
  readonly #left: Fields[]

  constructor(told: readonly unknown[]) {
    this.#left = told.filter(isRecord)
  }

  take(matches: (run: Fields) => boolean): Fields | undefined {
    const place = this.#left.findIndex(matches)
    return place === -1 ? undefined : this.#left.splice(place, 1)[0]
  }

  rest(): readonly Fields[] {
    return this.#left
  }
}

function add(parts: PlacedPart[], part: PlacedPart): void {
  const last = parts.at(-1)
  if (part.kind === 'text' && part.text.trim() === '') return
  if (part.kind === 'runs' && last?.kind === 'runs')
    parts[parts.length - 1] = { kind: 'runs', runs: [...last.runs, ...part.runs] }
  else if (part.kind === 'calls' && last?.kind === 'calls')
    parts[parts.length - 1] = { kind: 'calls', calls: [...last.calls, ...part.calls] }
  else parts.push(part)
}

interface Block {
  readonly start: number
  readonly end: number
  readonly id: string | undefined
  readonly code: string
}

/**
 * Returns the blocks of a text. A failed search is not repeated, so that malformed texts take no
 * longer.
 */
function findBlocks(text: string): readonly Block[] {
  const blocks: Block[] = []
  const absent = new Set<string>()
  for (
    let start = text.indexOf(START);
    start !== -1;
    start = text.indexOf(START, Math.max(start + 1, blocks.at(-1)?.end ?? 0))
  ) {
    HEAD.lastIndex = start
    const [head, attributes, fence] = HEAD.exec(text) ?? []
    if (head === undefined || absent.has(fence!)) continue
    const tail = `\n${fence}\n</details>`
    const close = text.indexOf(tail, start + head.length - 1)
    if (close === -1) {
      absent.add(fence!)
      continue
    }
    const code = text
      .slice(start + head.length, close)
      .replaceAll(String.raw`<\/details>`, '</details>')
    const end = close + tail.length
    blocks.push({
      start,
      end: text[end] === '\n' ? end + 1 : end,
      id: ID.exec(attributes ?? '')?.[1],
      code,
    })
  }
  return blocks
}

function placeInText(parts: PlacedPart[], text: string, told: ToldRuns): void {
  let end = 0
  for (const block of findBlocks(text)) {
    add(parts, { kind: 'text', text: text.slice(end, block.start) })
    const found = told.take(({ id }) => id === block.id)
    add(parts, {
      kind: 'runs',
      runs: [found ?? { code: block.code, language: 'python', result: { output: '' } }],
    })
    end = block.end
  }
  // A block that is still being streamed is not shown partially.
  const rest = text.slice(end)
  const open = rest.indexOf(START)
  add(parts, { kind: 'text', text: open === -1 ? rest : rest.slice(0, open) })
}

function placeCall(parts: PlacedPart[], call: ShownCall, told: ToldRuns): void {
  const code = codeOf(call)
  if (code === null) return add(parts, { kind: 'calls', calls: [call] })
  const result = call.isFailed ? { error: call.result } : { output: call.result }
  const found = told.take((run) => run.code === code && run.result !== undefined)
  add(parts, { kind: 'runs', runs: [found ?? { code, language: 'python', result }] })
}

/**
 * Places the code runs of an answer where the model started them, as blocks in its text or tool
 * calls.
 */
export function placeRuns(
  parts: readonly AnswerPart[],
  executions: readonly unknown[],
): PlacedRuns {
  const told = new ToldRuns(executions)
  const placed: PlacedPart[] = []
  for (const part of parts) {
    if (part.kind === 'calls') for (const call of part.calls) placeCall(placed, call, told)
    else if (part.text.includes(START)) placeInText(placed, part.text, told)
    else add(placed, part)
  }
  return { parts: placed, rest: told.rest() }
}
