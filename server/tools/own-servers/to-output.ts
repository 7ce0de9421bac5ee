import { isRecord } from '../../lib/is-record.ts'
import { SHOWN_INSTEAD } from '../calls/shown-instead.ts'
import { errorOutput, textOutput, type ToolFile, type ToolOutput } from '../calls/tool.ts'

const DATA_ADDRESS = /^data:([\w.+-]+\/[\w.+-]+)?((?:;[\w=.-]+)*?)(;base64)?,/i
const NOTHING = 'Done; the tool server gave no content.'

const toText = (value: unknown): string => {
  if (value === null || value === undefined) return NOTHING
  if (typeof value === 'string') return value === '' ? NOTHING : value
  return JSON.stringify(value, null, 2)
}

/** Returns the bytes of a `data:` URL; null for any other text. */
function readDataAddress(text: unknown): ToolFile | null {
  const match = typeof text === 'string' ? DATA_ADDRESS.exec(text.slice(0, 512)) : null
  if (!match) return null
  const content = (text as string).slice(match[0].length)
  const mediaType = (match[1] ?? 'text/plain').toLowerCase()
  const type = mediaType.startsWith('image/')
    ? 'image'
    : mediaType.startsWith('audio/')
      ? 'audio'
      : 'file'
  try {
    const bytes = match[3]
      ? Buffer.from(content, 'base64')
      : Buffer.from(decodeURIComponent(content))
    return { type, mediaType, bytes, name: null }
  } catch {
    return null
  }
}

const toldOf = ({ mediaType }: ToolFile): string =>
  `A file of type ${mediaType} was made and is shown to the person.`

/** Returns header names in lower case; omits values that are no text. */
function readHeaders(value: unknown): Record<string, string> {
  const entries = isRecord(value) ? Object.entries(value) : []
  return Object.fromEntries(
    entries.flatMap(([name, text]) =>
      typeof text === 'string' ? [[name.toLowerCase(), text]] : [],
    ),
  )
}

/** Returns a page to show, with its replacement for the model; null if the response is none. */
function toPage(data: unknown, headers: Record<string, string>): ToolOutput | null {
  if (!/\binline\b/i.test(headers['content-disposition'] ?? '')) return null
  const { location } = headers
  const shown = (embed: string, told: unknown): ToolOutput => ({
    ...textOutput(told === undefined ? SHOWN_INSTEAD : toText(told)),
    embeds: [embed],
  })
  if (location !== undefined && /^https?:\/\//i.test(location))
    return shown(location, Array.isArray(data) ? (data as unknown[])[1] : undefined)
  if (!/^text\/html\b/i.test(headers['content-type'] ?? '')) return null
  const [html, told] = Array.isArray(data) ? (data as unknown[]) : [data, undefined]
  return typeof html === 'string' ? shown(html, told) : null
}

function listToOutput(list: readonly unknown[]): ToolOutput {
  const files = list.map(readDataAddress)
  const rest = list.filter((_, index) => files[index] === null)
  const made = files.filter((file) => file !== null)
  const text =
    rest.length > 0 || made.length === 0
      ? JSON.stringify({ results: rest }, null, 2)
      : made.map(toldOf).join('\n')
  return { ...textOutput(text), files: made }
}

const isFailure = (data: unknown): data is { error: unknown } =>
  isRecord(data) && Object.keys(data).length === 1 && 'error' in data

/**
 * Converts a window's answer to `execute:tool`, `[data, headers]`, to a tool output
 * (docs/plugin-contract.md).
 */
export function toOutput(answer: unknown): ToolOutput {
  const isPair =
    Array.isArray(answer) && answer.length === 2 && (answer[1] === null || isRecord(answer[1]))
  const [data, sentHeaders] = isPair ? (answer as [unknown, unknown]) : [answer, null]
  if (isFailure(data))
    return errorOutput(typeof data.error === 'string' ? data.error : JSON.stringify(data))
  const page = toPage(data, readHeaders(sentHeaders))
  if (page) return page
  if (Array.isArray(data)) return listToOutput(data)
  const file = readDataAddress(data)
  return file ? { ...textOutput(toldOf(file)), files: [file] } : textOutput(toText(data))
}
