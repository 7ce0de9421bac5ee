/** A block that consists of one fenced code block. */
export interface Fence {
  readonly language: string
  readonly code: string
  /** False while the closing fence has not arrived. */
  readonly isClosed: boolean
}

const OPENING = /^ {0,3}(`{3,}|~{3,})[ \t]*([^\n]*)(?:\n|$)/

/**
 * Parses a block as a fence without the markdown parser, so that streaming code is cheap; returns
 * null for other blocks.
 */
export function readFence(block: string): Fence | null {
  const opening = OPENING.exec(block)
  if (!opening) return null
  const [head, run, info] = opening as unknown as [string, string, string]
  if (run[0] === '`' && info.includes('`')) return null
  const body = block.slice(head.length)
  const closing = new RegExp(`(?:^|\\n) {0,3}${run[0]}{${run.length},}[ \\t]*\\s*$`).exec(body)
  const language = info.trim().split(/\s+/, 1)[0]!.toLowerCase()
  return {
    language,
    code: closing ? body.slice(0, closing.index) : body.replace(/\n$/, ''),
    isClosed: closing !== null,
  }
}
