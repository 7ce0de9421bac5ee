import { SHOWN_INSTEAD } from '../calls/shown-instead.ts'
import { errorOutput, textOutput, type ToolFile, type ToolOutput } from '../calls/tool.ts'

/** A complete response of a tool server. Header names are in lower case. */
export interface OperationReply {
  readonly status: number
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly bytes: Buffer
}

const typeOf = ({ headers }: OperationReply): string =>
  (headers['content-type'] ?? '').split(';')[0]!.trim().toLowerCase()
const isInline = ({ headers }: OperationReply): boolean =>
  /\binline\b/i.test(headers['content-disposition'] ?? '')
const isText = (type: string): boolean =>
  type === '' ||
  type.startsWith('text/') ||
  /^application\/([\w.+-]+\+)?(json|xml|yaml|javascript)$/.test(type)

function charsetOf({ headers }: OperationReply): string {
  const named = /charset="?([\w-]+)/i.exec(headers['content-type'] ?? '')?.[1]
  try {
    return new TextDecoder(named ?? 'utf-8').encoding
  } catch {
    return 'utf-8'
  }
}

const decode = (reply: OperationReply): string =>
  new TextDecoder(charsetOf(reply)).decode(reply.bytes)

const kindOf = (type: string): ToolFile['type'] =>
  type.startsWith('image/') ? 'image' : type.startsWith('audio/') ? 'audio' : 'file'

function fileOutput(type: string, bytes: Buffer): ToolOutput {
  const file: ToolFile = { type: kindOf(type), mediaType: type, bytes, name: null }
  return {
    text: `A file of type ${type} was made and is shown to the person.`,
    isError: false,
    files: [file],
    embeds: [],
  }
}

/** Returns the page to show: the response itself or the URL it contains. */
function toEmbed(reply: OperationReply, type: string): string | null {
  if (!isInline(reply)) return null
  const location = reply.headers['location']
  if (location !== undefined && /^https?:\/\//i.test(location)) return location
  return type === 'text/html' ? decode(reply) : null
}

/** Converts a response to the forms for the model and the user (docs/plugin-contract.md). */
export function toOutput(reply: OperationReply): ToolOutput {
  const type = typeOf(reply)
  if (reply.status >= 400)
    return errorOutput(
      JSON.stringify({
        error: `HTTP error ${reply.status}: ${isText(type) ? decode(reply) : type}`,
      }),
    )
  const embed = toEmbed(reply, type)
  if (embed !== null) return { text: SHOWN_INSTEAD, isError: false, files: [], embeds: [embed] }
  if (reply.status >= 300)
    return errorOutput(
      JSON.stringify({
        error: `The tool server answered with a redirect (${reply.status}), which is not followed.`,
      }),
    )
  if (!isText(type)) return fileOutput(type, reply.bytes)
  const text = decode(reply)
  return textOutput(text === '' ? 'Done; the tool server gave no content.' : text)
}
