import { nativeTheme, Notification } from 'electron'
import type { OpenExternal } from '../../external-links.ts'
import { setLanguage } from '../../language.ts'
import type { ShellStateStore } from '../../shell-state.ts'
import type { RequestHandlers } from '../router.ts'

export interface WindowHandlerDeps {
  readonly state: ShellStateStore
  readonly openExternal: OpenExternal
  /** The app speaks another language from now on. */
  readonly onLanguage: () => void
  /** Whether the person works in any window of the app. */
  readonly isInFront: () => boolean
  /** So many chats and channels hold something new. */
  readonly onUnread: (unread: number) => void
  /** The downloads of models are so far; null when there are none. */
  readonly onProgress: (share: number | null) => void
  /** A notification was clicked: bring the window up at this path of the interface. */
  readonly openPlace: (path: string) => void
}

/** Every window hears of an answer; within this time the same words are the same notification. */
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

/** What the page asks of its window and of the desktop around it. */
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
