import type { ToolResult } from '../extensions.ts'
import type { FinishedCall } from './call-tools.ts'

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', '\n': '&#10;', '\r': '&#13;' }

const escape = (text: string): string => text.replace(/[&<>"\n\r]/g, (character) => ENTITIES[character]!)

const toAttribute = (name: string, value: string): string => ` ${name}="${escape(value)}"`

/**
 * A finished call as the block of an answer that clients fold away (reference §5.5). Everything from the model or the tool stands
 * escaped inside of attributes, so that none of it can end the block.
 */
export function renderCall({ call, result }: FinishedCall): string {
  const attributes = [
    toAttribute('type', 'tool_calls'),
    toAttribute('done', 'true'),
    toAttribute('id', call.id),
    toAttribute('name', call.name),
    toAttribute('arguments', call.text),
    toAttribute('result', result.text),
    listAttribute('files', result.files),
    listAttribute('embeds', result.embeds),
  ]
  return `<details${attributes.join('')}>\n<summary>${result.isError ? 'Tool failed' : 'Tool used'}</summary>\n</details>\n`
}

const listAttribute = (name: string, list: ToolResult['files'] | ToolResult['embeds']): string =>
  list && list.length > 0 ? toAttribute(name, JSON.stringify(list)) : ''

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
