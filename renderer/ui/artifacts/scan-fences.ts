/** A fenced code block in a text. */
export interface FencedCode {
  /** Language in lower case; empty if none is given. */
  readonly language: string
  /** Text after the language. */
  readonly info: string
  readonly code: string
  /** False while the closing fence has not arrived. */
  readonly isClosed: boolean
  /** Position of the code in the text. */
  readonly start: number
  readonly end: number
}

const FENCE = /^([ \t]*)(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?(`{3,}|~{3,})[ \t]*([^\n]*)$/

interface Opening {
  readonly indent: number
  readonly mark: string
  readonly language: string
  readonly info: string
  readonly start: number
}

function readOpening(line: string, start: number): Opening | null {
  const found = FENCE.exec(line)
  if (!found) return null
  const [, , mark, rest] = found as unknown as [string, string, string, string]
  if (mark.startsWith('`') && rest.includes('`')) return null
  const [language = '', ...info] = rest.trim().split(/\s+/)
  const indent = line.indexOf(mark)
  return { indent, mark, language: language.toLowerCase(), info: info.join(' '), start }
}

const isClosing = (line: string, { mark }: Opening): boolean => {
  const text = line.trim()
  return text.length >= mark.length && text === mark[0]!.repeat(text.length)
}

const withoutIndent = (lines: readonly string[], indent: number): string =>
  lines
    .map((line) => {
      const blank = /^[ \t]*/.exec(line)![0].length
      return line.slice(Math.min(blank, indent))
    })
    .join('\n')

/** Returns the fenced code blocks of a text, in order. */
export function scanFences(text: string): FencedCode[] {
  const found: FencedCode[] = []
  let opening: Opening | null = null
  let lines: string[] = []
  let place = 0
  const close = (end: number, isClosed: boolean): void => {
    if (!opening) return
    const { language, info, indent, start } = opening
    found.push({
      language,
      info,
      code: withoutIndent(lines, indent),
      isClosed,
      start: Math.min(start, end),
      end,
    })
    opening = null
    lines = []
  }
  for (const line of text.split('\n')) {
    const next = place + line.length + 1
    if (!opening) opening = readOpening(line, next)
    else if (isClosing(line, opening)) close(Math.max(opening.start, place - 1), true)
    else lines.push(line)
    place = next
  }
  close(text.length, false)
  return found
}
