import { micromark } from 'micromark'
import { gfm, gfmHtml } from 'micromark-extension-gfm'

/**
 * Converts Markdown to HTML. This is the only place in the server where users' text becomes HTML:
 * the library escapes HTML within it, and drops URLs with other protocols than http, https, mailto
 * and the like.
 */
export const writeHtml = (markdown: string): string =>
  micromark(markdown, {
    allowDangerousHtml: false,
    allowDangerousProtocol: false,
    extensions: [gfm()],
    htmlExtensions: [gfmHtml()],
  })
