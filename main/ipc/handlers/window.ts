import { nativeTheme, Notification } from 'electron'
import type { OpenExternal } from '../../security/external-links.ts'
import { setLanguage } from '../../system/language.ts'
import type { ShellStateStore } from '../../profile/shell-state.ts'
import type { RequestHandlers } from '../router.ts'

export interface WindowHandlerDeps {
  readonly state: ShellStateStore
  readonly openExternal: OpenExternal
  /** Called after the app's language has changed. */
  readonly onLanguage: () => void
  /** Returns true if any window of the app has focus. */
  readonly isInFront: () => boolean
  /** Receives the number of unread chats and channels. */
  readonly onUnread: (unread: number) => void
  /** Receives the progress of model downloads; null if there are none. */
  readonly onProgress: (share: number | null) => void
  /** Shows the window at a path of the UI after a click on a notification. */
  readonly openPlace: (path: string) => void
}

/**
 * Time in ms within which the same text counts as the same notification, as every window reports an
 * answer.
 */
const SAME_WITHIN = 5_000

function createRepetitions(): (words: string) => boolean {
  let last = { words: '', at: 0 }
  return (words) => {
    const now = performance.now()
    const isSame = last.words === words && now - last.at < SAME_WITHIN
    last = { words, at: now }
    return isSame
  }
}

/** Creates the handlers for the page's requests about its window and the desktop. */
export function createWindowHandlers(
  deps: WindowHandlerDeps,
): Pick<
  RequestHandlers,
  | 'shell.openExternal'
  | 'window.setTheme'
  | 'window.setLanguage'
  | 'window.setMarks'
  | 'notification.show'
> {
  const isRepeated = createRepetitions()
  return {
    'shell.openExternal': async ({ url }, { window }) => ({
      opened: await deps.openExternal(url, window),
    }),
    'window.setTheme': ({ theme }) => {
      nativeTheme.themeSource = theme
      deps.state.update({ theme })
      return {}
    },
    'window.setLanguage': ({ language }) => {
      deps.state.update({ language })
      if (setLanguage([language])) deps.onLanguage()
      return {}
    },
    'window.setMarks': ({ unread, downloads }) => {
      if (unread !== undefined) deps.onUnread(unread)
      if (downloads !== undefined) deps.onProgress(downloads)
      return {}
    },
    'notification.show': ({ title, body, path }, { window }) => {
      const isSeen = window.isFocused() || deps.isInFront()
      if (isSeen || !Notification.isSupported() || isRepeated(`${path}\n${title}\n${body}`))
        return { shown: false }
      const notification = new Notification({ title, body })
      notification.on('click', () => deps.openPlace(path))
      notification.show()
      return { shown: true }
    },
  }
}
