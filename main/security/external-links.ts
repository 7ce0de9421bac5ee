import { dialog, shell, type BrowserWindow, type MessageBoxOptions } from 'electron'
import { say } from '../system/language.ts'

const ALLOWED_PROTOCOLS = new Set(['https:', 'http:', 'mailto:'])
const LONGEST_URL = 4096
// oxlint-disable-next-line no-control-regex -- browsers drop these silently, so the visible URL would differ from the opened one
const INVISIBLE = /[\u0000-\u0020\u007f-\u00a0\u200b-\u200f\u2028-\u202f\u2060-\u206f\ufeff]/

/** Returns the URL to open, or null if it is not a plain web or mail URL. */
export function parseExternalUrl(text: string): URL | null {
  if (text.length > LONGEST_URL || INVISIBLE.test(text) || !URL.canParse(text)) return null
  const url = new URL(text)
  const hasCredentials = url.username !== '' || url.password !== ''
  const isWritten = text
    .toLowerCase()
    .startsWith(url.protocol === 'mailto:' ? 'mailto:' : `${url.protocol}//`)
  return ALLOWED_PROTOCOLS.has(url.protocol) && !hasCredentials && isWritten ? url : null
}

function toQuestion(url: URL): MessageBoxOptions {
  const isMail = url.protocol === 'mailto:'
  return {
    type: 'question',
    message: isMail
      ? say('link.mail', { address: url.pathname })
      : say('link.page', { host: url.host }),
    detail: url.href.length > 300 ? `${url.href.slice(0, 300)}…` : url.href,
    buttons: [say('link.open'), say('link.cancel')],
    defaultId: 1,
    cancelId: 1,
    noLink: true,
  }
}

/** Opens a URL outside the app after confirmation; resolves with true if it was opened. */
export type OpenExternal = (text: string, window: BrowserWindow | null) => Promise<boolean>

/** Asks one question at a time: a page that opens many links cannot flood the user with dialogs. */
export function createOpenExternal(): OpenExternal {
  let isAsking = false
  return async (text, window) => {
    const url = parseExternalUrl(text)
    if (!url || isAsking) return false
    isAsking = true
    try {
      const question = toQuestion(url)
      const answer = await (window
        ? dialog.showMessageBox(window, question)
        : dialog.showMessageBox(question))
      if (answer.response !== 0) return false
      await shell.openExternal(url.href)
      return true
    } finally {
      isAsking = false
    }
  }
}
