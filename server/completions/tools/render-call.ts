import type { FinishedCall } from './call-tools.ts'

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', '\n': '&#10;', '\r': '&#13;' }

const escape = (text: string): string => text.replace(/[&<>"\n\r]/g, (character) => ENTITIES[character]!)

const toAttribute = (name: string, value: string): string => ` ${name}="${escape(value)}"`

/**
 * A finished call as the block of an answer that clients fold away (reference §5.5): its result stands in the body, and again
 * as an attribute for older ones. Everything from the model or the tool is JSON on one line and escaped, so that none of it can
 * end the block.
 */
export function renderCall({ call, result }: FinishedCall): string {
  const shown = JSON.stringify(result.text)
  const attributes = [
    toAttribute('type', 'tool_calls'),
    toAttribute('done', 'true'),
    toAttribute('id', call.id),
    toAttribute('name', call.name),
    toAttribute('arguments', JSON.stringify(call.text)),
    toAttribute('files', result.files?.length ? JSON.stringify(result.files) : ''),
    toAttribute('embeds', JSON.stringify(result.embeds?.length ? result.embeds : '')),
    toAttribute('result', shown),
  ]
  const summary = result.isError ? 'Tool failed' : 'Tool Executed'
  return `<details${attributes.join('')}>\n<summary>${summary}</summary>\n${escape(shown)}\n</details>\n`
}

const BLOCK_START = /<details type="(?:tool_calls|reasoning|code_interpreter)"/
const BLOCK_END = '</details>'

/** Whether a text shows calls. */
export const hasBlocks = (text: string): boolean => text.includes('<details type="') && BLOCK_START.test(text)

/** A text without the blocks that stand for calls, which are not what the model said. A block that never ends stays. */
export function withoutBlocks(text: string): string {
  let rest = text
  let kept = ''
  for (let start = rest.search(BLOCK_START); start !== -1; start = rest.search(BLOCK_START)) {
    const end = rest.indexOf(BLOCK_END, start)
    if (end === -1) break
    kept += rest.slice(0, start)
    rest = rest.slice(end + BLOCK_END.length).replace(/^\n/, '')
  }
  return kept === '' && rest === text ? text : (kept + rest).trim()
}
