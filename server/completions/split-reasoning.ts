/** Text of one delta, told apart. */
export interface SplitText {
  readonly content: string
  readonly reasoning: string
}

/** Tells reasoning that a model writes between tags at the start of its answer apart from the answer. */
export interface ReasoningSplitter {
  push(text: string): SplitText
  /** What was held back because it might have become a tag. */
  flush(): SplitText
}

const TAGS = ['think', 'thinking', 'reasoning', 'thought'] as const
const OPENING = new RegExp(`^\\s*<(${TAGS.join('|')})>\\s*`)
const OPENINGS = TAGS.map((tag) => `<${tag}>`)

/** True while `text` could still grow into an opening tag. */
function mayOpen(text: string): boolean {
  const start = text.trimStart()
  return OPENINGS.some((opening) => opening.startsWith(start))
}

/** How many characters at the end of `text` could be the beginning of `closing`. */
function partialTail(text: string, closing: string): number {
  for (let length = Math.min(text.length, closing.length - 1); length > 0; length -= 1) {
    if (closing.startsWith(text.slice(-length))) return length
  }
  return 0
}

export function createReasoningSplitter(): ReasoningSplitter {
  let state: 'start' | 'reasoning' | 'gap' | 'content' = 'start'
  let held = ''
  let closing = ''

  function push(text: string): SplitText {
    if (state === 'content') return { content: text, reasoning: '' }
    held += text
    if (state === 'start') return readStart()
    return state === 'reasoning' ? readReasoning() : readGap('')
  }

  function readStart(): SplitText {
    const opening = OPENING.exec(held)
    if (opening) {
      state = 'reasoning'
      closing = `</${opening[1]}>`
      held = held.slice(opening[0].length)
      return readReasoning()
    }
    if (mayOpen(held)) return { content: '', reasoning: '' }
    state = 'content'
    return { content: take(held.length), reasoning: '' }
  }

  function readReasoning(): SplitText {
    const end = held.indexOf(closing)
    if (end === -1) return { content: '', reasoning: take(held.length - partialTail(held, closing)) }
    const reasoning = take(end)
    held = held.slice(closing.length)
    state = 'gap'
    return readGap(reasoning)
  }

  /** The empty lines between reasoning and answer belong to neither. */
  function readGap(reasoning: string): SplitText {
    held = held.trimStart()
    if (held !== '') state = 'content'
    return { content: take(held.length), reasoning }
  }

  function take(length: number): string {
    const taken = held.slice(0, length)
    held = held.slice(length)
    return taken
  }

  return {
    push,
    flush() {
      const rest = take(held.length)
      return state === 'reasoning' ? { content: '', reasoning: rest } : { content: rest, reasoning: '' }
    },
  }
}
