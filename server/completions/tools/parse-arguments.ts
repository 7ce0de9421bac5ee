import { readInnerJson } from '../../lib/json/inner-json.ts'
import { isRecord } from '../../lib/is-record.ts'

/** Maximum length of a text that is parsed as a Python literal. */
const LONGEST_LITERAL = 256 * 1024
const DEEPEST = 100

/** Alternatives in order: a quoted text, a number or word, a punctuation mark. */
const TOKEN =
  /\s*(?:'([^'\\]*(?:\\.[^'\\]*)*)'|"([^"\\]*(?:\\.[^"\\]*)*)"|([\w.+-]+)|([{}[\]():,]))/suy
const WORDS: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ['True', true],
  ['False', false],
  ['None', null],
  ['true', true],
  ['false', false],
  ['null', null],
])
const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i
const ESCAPE = /\\(?:x([\da-f]{2})|u([\da-f]{4})|U([\da-f]{8})|(.))/gisu
const ESCAPED: ReadonlyMap<string, string> = new Map([
  ['n', '\n'],
  ['t', '\t'],
  ['r', '\r'],
  ['b', '\b'],
  ['f', '\f'],
  ['\n', ''],
])

class NoLiteral extends Error {}

type Token = { readonly kind: 'text' | 'word' | 'mark'; readonly text: string }

function toCharacter(code: number): string {
  if (code > 0x10_ff_ff) throw new NoLiteral()
  return String.fromCodePoint(code)
}

const unescape = (text: string): string =>
  text.replace(ESCAPE, (all: string, ...[two, four, eight, one]: (string | undefined)[]) => {
    const code = two ?? four ?? eight
    if (code !== undefined) return toCharacter(Number.parseInt(code, 16))
    return ESCAPED.get(one!) ?? (`'"\\`.includes(one!) ? one! : all)
  })

function toTokens(text: string): Token[] {
  const tokens: Token[] = []
  TOKEN.lastIndex = 0
  const end = text.trimEnd().length
  while (TOKEN.lastIndex < end) {
    const found = TOKEN.exec(text)
    if (!found) throw new NoLiteral()
    const [, single, double, word, mark] = found
    const quoted = single ?? double
    if (quoted !== undefined) tokens.push({ kind: 'text', text: unescape(quoted) })
    else
      tokens.push(word === undefined ? { kind: 'mark', text: mark! } : { kind: 'word', text: word })
  }
  return tokens
}

function toScalar(word: string): unknown {
  if (WORDS.has(word)) return WORDS.get(word)
  if (NUMBER.test(word)) return Number(word)
  throw new NoLiteral()
}

const CLOSING: ReadonlyMap<string, string> = new Map([
  ['{', '}'],
  ['[', ']'],
  ['(', ')'],
])

/** Reads one value from the tokens, which are in reverse order. */
function readValue(tokens: Token[], depth: number): unknown {
  const token = tokens.pop()
  if (!token || depth > DEEPEST) throw new NoLiteral()
  if (token.kind === 'text') return readTexts(token.text, tokens)
  if (token.kind === 'word') return toScalar(token.text)
  const closing = CLOSING.get(token.text)
  if (closing === undefined) throw new NoLiteral()
  return closing === '}' ? readEntries(tokens, depth) : readItems(tokens, closing, depth)
}

/** Reads adjacent string literals, which are concatenated, as in Python. */
function readTexts(first: string, tokens: Token[]): string {
  let text = first
  while (tokens.at(-1)?.kind === 'text') text += tokens.pop()!.text
  return text
}

const isMark = (token: Token | undefined, mark: string): boolean =>
  token?.kind === 'mark' && token.text === mark

function take(tokens: Token[], mark: string): void {
  if (!isMark(tokens.pop(), mark)) throw new NoLiteral()
}

function readItems(tokens: Token[], closing: string, depth: number): unknown[] {
  const items: unknown[] = []
  while (!isMark(tokens.at(-1), closing)) {
    items.push(readValue(tokens, depth + 1))
    if (!isMark(tokens.at(-1), closing)) take(tokens, ',')
  }
  tokens.pop()
  return items
}

function readEntries(tokens: Token[], depth: number): Record<string, unknown> {
  const entries: [string, unknown][] = []
  while (!isMark(tokens.at(-1), '}')) {
    const name = readValue(tokens, depth + 1)
    if (typeof name !== 'string') throw new NoLiteral()
    take(tokens, ':')
    entries.push([name, readValue(tokens, depth + 1)])
    if (!isMark(tokens.at(-1), '}')) take(tokens, ',')
  }
  tokens.pop()
  return Object.fromEntries(entries)
}

function parseLiteral(text: string): unknown {
  if (text.length > LONGEST_LITERAL) return null
  try {
    // Reversed, so that removing the first token costs nothing.
    const tokens = toTokens(text).toReversed()
    const value = readValue(tokens, 0)
    return tokens.length === 0 ? value : null
  } catch (error) {
    if (error instanceof NoLiteral) return null
    throw error
  }
}

/**
 * Parses the arguments of a call as a model wrote them: a JSON object, or one in Python syntax
 * (docs/plugin-contract.md). An empty text means no arguments. Returns null for everything else.
 */
export function parseArguments(text: string): Record<string, unknown> | null {
  if (text.trim() === '') return {}
  const { value } = readInnerJson(text) ?? { value: parseLiteral(text) }
  return isRecord(value) ? value : null
}
