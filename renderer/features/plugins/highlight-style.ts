import { HighlightStyle } from '@codemirror/language'
import { tags } from '@lezer/highlight'

/**
 * Syntax colours of the editor: each pair has a contrast of 4.5:1 on its background, and
 * `light-dark` follows the theme of the window.
 */
export const highlightStyle = HighlightStyle.define([
  {
    tag: [tags.keyword, tags.operatorKeyword, tags.controlKeyword, tags.modifier],
    color: 'light-dark(#8a2a6b, #e5a3cf)',
  },
  {
    tag: [tags.string, tags.special(tags.string), tags.docString],
    color: 'light-dark(#8a4600, #e9b97a)',
  },
  {
    tag: [tags.comment, tags.lineComment, tags.blockComment],
    color: 'var(--muted)',
    fontStyle: 'italic',
  },
  { tag: [tags.number, tags.bool, tags.null], color: 'light-dark(#1d4fa3, #93b8f5)' },
  {
    tag: [tags.function(tags.definition(tags.variableName)), tags.function(tags.variableName)],
    color: 'light-dark(#0b5f58, #6cc2b5)',
  },
  {
    tag: [tags.className, tags.typeName, tags.definition(tags.className)],
    color: 'light-dark(#0b5f58, #6cc2b5)',
    fontWeight: '600',
  },
  { tag: [tags.self, tags.meta, tags.escape], color: 'light-dark(#5b3fa8, #bda8f5)' },
  { tag: tags.invalid, color: 'var(--danger)' },
])
