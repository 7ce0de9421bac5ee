import { micromark } from 'micromark'
import { gfm, gfmHtml } from 'micromark-extension-gfm'

/**
 * Markdown as HTML. This is the one place of the server where text of people becomes HTML: HTML
 * within it is escaped, and an address with another protocol than http, https, mailto and the like
 * is left out, both by the library.
 */
export const writeHtml = (markdown: string): string =>
  micromark(markdown, {
    allowDangerousHtml: false,
    allowDangerousProtocol: false,
    extensions: [gfm()],
    htmlExtensions: [gfmHtml()],
  })
