import type { FinishedCall } from './call-tools.ts'

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\n': '&#10;',
  '\r': '&#13;',
}

export const escapeAttribute = (text: string): string =>
  text.replace(/[&<>"\n\r]/g, (character) => ENTITIES[character]!)

const toAttribute = (name: string, value: string): string => ` ${name}="${escapeAttribute(value)}"`

/**
 * Renders a finished call as the block of an answer that clients collapse (docs/wire-format.md):
 * its result is in the body, and again in an attribute for older clients. All text from the model
 * or the tool is JSON on one line and escaped, so that it cannot close the block.
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
  return `<details${attributes.join('')}>\n<summary>${summary}</summary>\n${escapeAttribute(shown)}\n</details>\n`
}
