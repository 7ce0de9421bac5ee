import remarkMath from 'remark-math'
import { type BlockProps, defaultRehypePlugins, defaultRemarkPlugins } from 'streamdown'
import { directEntries } from './direct-entries.ts'
import { markCitations } from './mark-citations.ts'
import { markMentions } from './mark-mentions.ts'
import { keepMentions } from './mention-syntax.ts'
import { showHtml } from './show-html.ts'

export const remarkPlugins: BlockProps['remarkPlugins'] = [
  defaultRemarkPlugins.gfm!,
  [remarkMath, { singleDollarTextMath: false }],
  keepMentions,
  showHtml,
]

/**
 * The parser serialises its settings into a key for each block; a plugin that holds the long list
 * itself keeps that key short.
 */
const [sanitize, schema] = defaultRehypePlugins.sanitize as [
  (schema: unknown) => (tree: unknown) => unknown,
  { readonly protocols?: { readonly src?: readonly string[] } },
]
/**
 * Allows pictures contained in the text; the component that renders them checks their type and
 * size.
 */
const withPictures = {
  ...schema,
  protocols: { ...schema.protocols, src: [...(schema.protocols?.src ?? []), 'data'] },
}
const sanitizeTree = () => sanitize(withPictures)
export const rehypePlugins: BlockProps['rehypePlugins'] = [
  sanitizeTree,
  directEntries,
  markCitations,
  markMentions,
]
