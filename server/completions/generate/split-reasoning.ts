/** Text of one delta, split into content and reasoning. */
export interface SplitText {
  readonly content: string
  readonly reasoning: string
}

/**
 * Separates reasoning that a model writes between tags at the start of its answer from the answer.
 */
export interface ReasoningSplitter {
  push(text: string): SplitText
  /** Returns the text held back because it might have become a tag. */
  flush(): SplitText
}

/** Opening and closing tags of reasoning. */
export type ReasoningTags = readonly (readonly [opening: string, closing: string])[]

const DEFAULT_TAGS: ReasoningTags = ['think', 'thinking', 'reasoning', 'thought'].map(
  (tag) => [`<${tag}>`, `</${tag}>`] as const,
)

/**
 * Returns the tags given by a parameter: one pair or a list of pairs; none for false, the default
 * ones for anything else.
 */
export function toReasoningTags(value: unknown): ReasoningTags {
  if (value === false) return []
  if (!Array.isArray(value)) return DEFAULT_TAGS
  const pairs: unknown[] = typeof value[0] === 'string' ? [value] : value
  const usable = pairs.filter(isPair)
  return usable.length === 0 ? DEFAULT_TAGS : usable
}

const isPair = (pair: unknown): pair is readonly [string, string] =>
  Array.isArray(pair) &&
  pair.length === 2 &&
  pair.every((tag) => typeof tag === 'string' && tag.trim() !== '')

/** Returns how many characters at the end of `text` could be the beginning of `closing`. */
function partialTail(text: string, closing: string): number {
  for (let length = Math.min(text.length, closing.length - 1); length > 0; length -= 1) {
    if (closing.startsWith(text.slice(-length))) return length
  }
  return 0
}

export function createReasoningSplitter(tags: ReasoningTags = DEFAULT_TAGS): ReasoningSplitter {
  let state: 'start' | 'reasoning' | 'gap' | 'content' = tags.length === 0 ? 'content' : 'start'
  let held = ''
  let closing = ''

  function push(text: string): SplitText {
    if (state === 'content') return { content: text, reasoning: '' }
    held += text
    if (state === 'start') return readStart()
    return state === 'reasoning' ? readReasoning() : readGap('')
  }

  function readStart(): SplitText {
    const start = held.trimStart()
    const pair = tags.find(([opening]) => start.startsWith(opening))
    if (pair) {
      state = 'reasoning'
      closing = pair[1]
      held = start.slice(pair[0].length).trimStart()
      return readReasoning()
    }
    // The text could still become an opening tag.
    if (tags.some(([opening]) => opening.startsWith(start))) return { content: '', reasoning: '' }
    state = 'content'
    return { content: take(held.length), reasoning: '' }
  }

  function readReasoning(): SplitText {
    const end = held.indexOf(closing)
    if (end === -1)
      return { content: '', reasoning: take(held.length - partialTail(held, closing)) }
    const reasoning = take(end)
    held = held.slice(closing.length)
    state = 'gap'
    return readGap(reasoning)
  }

  /** Skips the empty lines between reasoning and answer, which belong to neither. */
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
      return state === 'reasoning'
        ? { content: '', reasoning: rest }
        : { content: rest, reasoning: '' }
    },
  }
}
