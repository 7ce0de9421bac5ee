/**
 * Converts every formula notation of models to the one the parser knows, `$$…$$`. Amounts of money
 * are unaffected: a single dollar sign starts a formula only if what follows looks like one.
 */
export function normalizeMath(text: string): string {
  if (!text.includes('$') && !text.includes('\\(') && !text.includes('\\[')) return text
  let result = ''
  let position = 0
  while (position < text.length) {
    const found = readToken(text, position)
    result += found.replacement ?? text.slice(position, found.end)
    position = found.end
  }
  return result
}

interface Token {
  readonly end: number
  /** Replacement; absent if the text is unchanged. */
  readonly replacement?: string
}

const LONGEST_FORMULA = 1000
const LONGEST_DISPLAY = 20_000

function readToken(text: string, position: number): Token {
  const character = text[position]
  if (character === '`' || (character === '~' && isLineStart(text, position)))
    return readCode(text, position)
  if (character === '\\') return readBackslash(text, position)
  if (character === '$') return readDollar(text, position)
  const next = text.slice(position + 1).search(/[`~\\$]/)
  return { end: next < 0 ? text.length : position + 1 + next }
}

const lineStart = (text: string, position: number): number =>
  text.lastIndexOf('\n', position - 1) + 1
const isLineStart = (text: string, position: number): boolean =>
  text.slice(lineStart(text, position), position).trim() === ''

const isLineEnd = (text: string, position: number): boolean => {
  const end = text.indexOf('\n', position)
  return text.slice(position, end < 0 ? text.length : end).trim() === ''
}

function runLength(text: string, position: number): number {
  let end = position
  while (text[end] === text[position]) end += 1
  return end - position
}

/** Reads a code span or fence, which is skipped as a whole. */
function readCode(text: string, position: number): Token {
  const run = text.slice(position, position + runLength(text, position))
  const afterRun = position + run.length
  if (run.length >= 3 && isLineStart(text, position)) {
    const closing = text
      .slice(afterRun)
      .search(new RegExp(`\\n[ \\t>]*${run[0]}{${run.length},}[ \\t]*(\\n|$)`))
    if (closing < 0) return { end: text.length }
    const end = text.indexOf('\n', afterRun + closing + 1)
    return { end: end < 0 ? text.length : end }
  }
  for (let next = text.indexOf(run, afterRun); next >= 0;) {
    const length = runLength(text, next)
    if (length === run.length) return { end: next + length }
    next = text.indexOf(run, next + length)
  }
  return { end: afterRun }
}

function display(text: string, span: { from: number; to: number; body: string }): string {
  if (!isLineStart(text, span.from) || !isLineEnd(text, span.to))
    return `$$${span.body.trim().replaceAll('\n', ' ')}$$`
  const indent = text.slice(lineStart(text, span.from), span.from)
  return `$$\n${span.body
    .trim()
    .split('\n')
    .map((line) => `${indent}${line.trim()}`)
    .join('\n')}\n${indent}$$`
}

function readBackslash(text: string, position: number): Token {
  const next = text[position + 1]
  if (next !== '(' && next !== '[') return { end: position + 2 }
  const closing = next === '(' ? '\\)' : '\\]'
  const to = text.indexOf(closing, position + 2)
  const body = to < 0 ? '' : text.slice(position + 2, to)
  if (body.trim() === '' || body.length > LONGEST_DISPLAY || /\n[ \t]*\n/.test(body))
    return { end: position + 2 }
  const end = to + 2
  if (next === '(') return { end, replacement: `$$${body.trim().replaceAll('\n', ' ')}$$` }
  return { end, replacement: display(text, { from: position, to: end, body }) }
}

/** True for letters and digits without a space, or text with a character specific to formulas. */
const readsLikeFormula = (body: string): boolean =>
  /^[\w.,'’]+$/.test(body) || /[\\^_={}<>+*|/]/.test(body)

function readDollar(text: string, position: number): Token {
  if (text[position + 1] === '$') {
    const to = text.indexOf('$$', position + 2)
    const body = to < 0 ? '' : text.slice(position + 2, to)
    if (body.trim() === '') return { end: position + 2 }
    const isOneLine = !body.includes('\n')
    return isOneLine
      ? { end: to + 2, replacement: display(text, { from: position, to: to + 2, body }) }
      : { end: to + 2 }
  }
  const line = text.slice(position + 1, position + 1 + LONGEST_FORMULA).split('\n', 1)[0]!
  const closing = line.search(/(?<=[^\s\\$])\$(?![\w$])/)
  const body = closing < 0 ? '' : line.slice(0, closing)
  if (body === '' || /^\s/.test(body) || body.includes('`') || !readsLikeFormula(body))
    return { end: position + 1 }
  return { end: position + body.length + 2, replacement: `$$${body}$$` }
}
