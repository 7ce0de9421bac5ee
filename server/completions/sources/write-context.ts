import type { ChatCompletionRequest, Source } from '#contract/completions.ts'
import { textOf } from '../message-text.ts'
import { withSystem } from '../prepare/with-system.ts'

type Messages = ChatCompletionRequest['messages']

/**
 * Tags a document might contain to pass as something other than a document: those of sources,
 * skills and templates.
 */
const TAG = /<(?=\s*\/?\s*(?:sources?|context|system|user_query|instructions?|skill)\b)/gi

const escapeText = (text: string): string => text.replace(TAG, '&lt;')

/** Returns a name on one line, escaped so that it cannot close the quotes or the tag around it. */
export const escapeName = (text: string): string =>
  text
    .slice(0, 200)
    .replace(/\s+/g, ' ')
    .replaceAll('&', '&amp;')
    .replaceAll('"', '&quot;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')

/**
 * Returns the location of a passage, for questions about a page; an empty string if the document
 * has neither pages nor headings.
 */
function toPlace(metadata: Readonly<Record<string, unknown>> | undefined): string {
  const { page_label: label, page, heading } = metadata ?? {}
  const number = typeof label === 'string' ? label : typeof page === 'number' ? String(page) : ''
  const headings = Array.isArray(heading) ? heading.join(' › ') : ''
  const words = [number === '' ? '' : `Page ${number}`, headings].filter((word) => word !== '')
  return words.length === 0 ? '' : `${words.join(', ')}:\n`
}

/** Returns the sources as text for the model, numbered from one as it cites them. */
export function writeContext(sources: readonly Source[]): string {
  const texts = sources.map(({ source, document, metadata }, index) => {
    const passages = document.map((text, place) => escapeText(`${toPlace(metadata[place])}${text}`))
    return `<source id="${index + 1}" name="${escapeName(source.name)}">\n${passages.join('\n\n')}\n</source>`
  })
  return texts.join('\n')
}

const PLACEHOLDER = /\{\{\s*(CONTEXT|QUERY)\s*\}\}|\[(context|query)\]/gi

interface Filling {
  readonly template: string
  readonly sources: readonly Source[]
  /** True if the sources are placed in the system message instead of the question. */
  readonly inSystem: boolean
}

/** Inserts the sources before the last question, or into the system message. */
export function insertContext(
  messages: Messages,
  { template, sources, inSystem }: Filling,
): Messages {
  const index = messages.findLastIndex(({ role }) => role === 'user')
  const question = index === -1 ? '' : textOf(messages[index]!['content'])
  const context = writeContext(sources)
  let hasQuestion = false
  // In a single pass, so that no text of a document or a question is interpreted as a placeholder.
  const filled = template.replace(
    PLACEHOLDER,
    (_, braces: string | undefined, brackets: string | undefined) => {
      if ((braces ?? brackets)!.toLowerCase() === 'context') return context
      hasQuestion = true
      return inSystem ? '' : question
    },
  )
  if (inSystem || index === -1) return withSystem(messages, filled.trim())
  const text = hasQuestion ? filled : `${filled}\n\n${question}`
  return messages.with(index, {
    ...messages[index]!,
    content: replaceText(messages[index]!['content'], text),
  })
}

/** Replaces the text of a question; its other parts, such as images, stay after the text. */
function replaceText(content: unknown, text: string): unknown {
  if (!Array.isArray(content)) return text
  const others = content.filter((part: { type?: unknown } | null) => part?.type !== 'text')
  return [{ type: 'text', text }, ...(others as unknown[])]
}
