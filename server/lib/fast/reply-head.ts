import type { IncomingHttpHeaders } from 'node:http'
import { HttpError } from './http-error.ts'

/** Head of a reply, with its information about the following bytes. */
export interface ReplyHead {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** Length of the body; -1 if it is not declared. */
  readonly length: number
  readonly isChunked: boolean
  /** True if the connection may carry another call once the body is complete. */
  readonly isKept: boolean
}

const STATUS_LINE = /^HTTP\/1\.[01] \d{3}(?=[ \r]|$)/
/** Places in a status line. */
const MINOR = 7
const STATUS = 9
const STATUS_END = 12
/** Control characters, and incomplete line ends. */
const FORBIDDEN = /[^\t\r\n\u0020-\u007E\u0080-\u00FF]|\r(?!\n)|(?<!\r)\n/
const TOKEN = /^[\w!#$%&'*+.^`|~-]+$/
const LENGTH = /^\d{1,15}$/
const LINE_END = '\r\n'

const malformed = (what: string): HttpError =>
  new HttpError(`The reply has a malformed ${what}.`, 'HPE_INVALID_HEADER_TOKEN')

type Fields = Record<string, string | string[]>

function addField(fields: Fields, line: string): void {
  const colon = line.indexOf(':')
  const name = line.slice(0, Math.max(0, colon)).toLowerCase()
  // Implementations differ in how they read a name with trailing whitespace, or a line that starts
  // with it.
  if (!TOKEN.test(name)) throw malformed('header')
  const value = line.slice(colon + 1).trim()
  const known = fields[name]
  if (known === undefined) fields[name] = value
  else if (Array.isArray(known)) known.push(value)
  else fields[name] = [known, value]
}

function readLength(value: string | string[] | undefined): number {
  if (value === undefined) return -1
  // Two lengths, even if they agree, suggest that an intermediary reads a different one.
  if (typeof value !== 'string' || !LENGTH.test(value)) throw malformed('content-length')
  return Number(value)
}

const hasWord = (value: string | string[] | undefined, word: string): boolean =>
  value !== undefined &&
  String(value)
    .split(',')
    .some((part) => part.trim().toLowerCase() === word)

/** Parses a head without the empty line at its end; throws if it is ambiguous. */
export function parseReplyHead(text: string): ReplyHead {
  if (!STATUS_LINE.test(text) || FORBIDDEN.test(text)) throw malformed('head')
  // Names come from the server: nothing is inherited, and `__proto__` is an ordinary name.
  const fields = Object.create(null) as Fields
  for (let from = text.indexOf(LINE_END); from !== -1;) {
    const end = text.indexOf(LINE_END, from + LINE_END.length)
    addField(fields, text.slice(from + LINE_END.length, end === -1 ? undefined : end))
    from = end
  }
  const length = readLength(fields['content-length'])
  const coding = fields['transfer-encoding']
  if (coding !== undefined && length !== -1) throw malformed('length')
  const { connection } = fields
  return {
    status: Number(text.slice(STATUS, STATUS_END)),
    headers: fields as IncomingHttpHeaders,
    length,
    isChunked: coding !== undefined && /(?:^|,)\s*chunked$/i.test(String(coding)),
    isKept: text[MINOR] === '1' ? !hasWord(connection, 'close') : hasWord(connection, 'keep-alive'),
  }
}
