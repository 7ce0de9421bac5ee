import i18next from 'i18next'
import { onUnauthorized } from '../../api/client.ts'
import { keepSessionKey, onSessionKeyOfOtherWindow } from '../../api/session-key.ts'
import { socket } from '../../api/socket.ts'
import {
  recheckSession,
  resumeSession,
  type SessionState,
} from '../../features/auth/session-store.ts'
import { loadBanners } from '../../features/banners/banners-store.ts'
import { applyChatsFrame, loadChats } from '../../features/chats/load-chats.ts'
import { NO_CHATS } from '../../features/chats/chats-store.ts'
import { wantsTags } from '../../features/chats/list-options.tsx'
import { applyFoldersFrame, loadFolders, NO_FOLDERS } from '../../features/folders/folders-store.ts'
import {
  loadModels,
  pinModels,
  renameModels,
  suggestModels,
} from '../../features/models/models-store.ts'
import { loadPreferences, selectLanguage } from '../../features/settings/preferences-store.ts'
import { desktop } from '../../lib/desktop.ts'
import { viewedSnapshot } from '../../lib/viewed-snapshot.ts'
import { toastError } from '../../ui/floating/toast.tsx'
import { followOwnServers, ownServers, takeOwnServers } from '../person/own-tools.ts'
import { forgetPython, handlePythonFrame, stopPython } from '../following/follow-python.ts'
import { forgetDrafts } from './forget-drafts.ts'
import { forgetShell, keepShell } from './keep-shell.ts'
import { keepStartFrame } from './start-frame.ts'
import { keepChannels, stopChannels } from '../following/keep-channels.ts'
import { followModelMarks, takeModelMarks } from '../following/keep-model-marks.ts'
import { takePictureChoice } from '../following/keep-picture-choice.ts'
import { mayUseFolders } from '../person/permissions.ts'
import { showNotification } from '../following/show-notification.ts'
import {
  bannersStore,
  chatsStore,
  dialogs,
  foldersStore,
  modelsStore,
  preferencesStore,
  promptsStore,
  sessionStore,
} from '../stores.ts'

/** Without the user's settings the UI still works with defaults. */
function openAnyway(thrown: unknown): void {
  preferencesStore.setState({ welcomed: true })
  toastError(thrown)
}

/** Passes the account's settings to the modules that use them. */
function takeSettings(): void {
  takeOwnServers()
  takePictureChoice()
  takeModelMarks()
}

/** Loads the folders and all chats outside folders. */
function loadLists(): void {
  const hasFolders = mayUseFolders(sessionStore.getState())
  chatsStore.setState({ hasFolders, showsTags: wantsTags() })
  void loadChats(chatsStore)
  if (hasFolders) void loadFolders(foldersStore)
}

/** Opens the socket and loads the data that changes by itself during a session. */
function followPresent(): void {
  keepShell()
  socket.open()
  loadLists()
  void loadModels(modelsStore)
  void loadBanners(bannersStore)
}

function handleSession(state: SessionState, before: SessionState): void {
  if (state.config !== before.config) {
    suggestModels(modelsStore, state.config?.default_models)
    pinModels(modelsStore, state.config?.default_pinned_models)
    preferencesStore.setState({ gatewayLanguage: state.config?.default_locale ?? '' })
  }
  if (viewedSnapshot === null) keepChannels(state)
  if (state.status === before.status) return
  if (state.status === 'signed-in') {
    keepStartFrame(true)
    if (viewedSnapshot === null) followPresent()
    if (!preferencesStore.getState().loaded)
      loadPreferences(preferencesStore).then(takeSettings).catch(openAnyway)
    return
  }
  socket.close()
  if (state.status === 'signed-out') {
    keepStartFrame(false)
    chatsStore.setState(NO_CHATS, true)
    foldersStore.setState(NO_FOLDERS, true)
    promptsStore.clear()
    preferencesStore.setState({ loaded: false })
    ownServers.forget()
    forgetPython()
    // A session that only ran out goes on with them.
    if (state.hasLeft) forgetDrafts()
    forgetShell().catch(toastError)
  }
}

/** A rejected socket stays closed, so it is reopened once the session proves valid. */
async function recheckAndReopen(): Promise<void> {
  await recheckSession(sessionStore)
  if (sessionStore.getState().status === 'signed-in' && viewedSnapshot === null) socket.open()
}

const recheck = (): void => {
  recheckAndReopen().catch(toastError)
}

/**
 * The desktop app signs its window in before the page loads; the page receives its half of that
 * session over the bridge.
 */
export async function takeDesktopSession(): Promise<void> {
  if (!desktop) return
  try {
    const { key } = await desktop.request('session.takeKey', {})
    if (key !== null) keepSessionKey(key)
  } catch (thrown) {
    toastError(thrown)
  }
}

/** Tells the desktop app the language of its menus. */
function followLanguage(): () => void {
  let told: string | null = null
  const tellDesktop = (): void => {
    const language = selectLanguage(preferencesStore.getState())
    if (language === told) return
    told = language
    desktop?.request('window.setLanguage', { language }).catch(toastError)
  }
  tellDesktop()
  return preferencesStore.subscribe(tellDesktop)
}

/** Updates the model descriptions when the language changes. */
function followModelLanguage(): () => void {
  const rename = (): void => renameModels(modelsStore)
  i18next.on('languageChanged', rename)
  return () => i18next.off('languageChanged', rename)
}

/** Connects session, socket and lists; returns the function that disconnects them. */
export function startSession(): () => void {
  const removers = [
    followOwnServers(),
    followModelMarks(),
    sessionStore.subscribe(handleSession),
    onUnauthorized(recheck),
    socket.onRefused(recheck),
    onSessionKeyOfOtherWindow(() => void resumeSession(sessionStore).catch(toastError)),
    socket.onFrame((frame) => {
      applyChatsFrame(chatsStore, frame)
      applyFoldersFrame(foldersStore, frame)
      if (!ownServers.handleFrame(frame) && !handlePythonFrame(frame)) dialogs.handleFrame(frame)
      showNotification(frame)
    }),
    socket.status.subscribe(({ status }) => {
      if (status === 'open') return
      dialogs.forgetAll()
      stopPython()
    }),
    socket.onReconnected(() => {
      loadLists()
      void loadModels(modelsStore)
      void loadBanners(bannersStore)
    }),
    followLanguage(),
    followModelLanguage(),
    preferencesStore.subscribe((state, before) => {
      const { theme } = state.appearance
      if (theme !== before.appearance.theme)
        desktop
          ?.request('window.setTheme', { theme: theme === 'contrast' ? 'system' : theme })
          .catch(toastError)
    }),
  ]
  return () => {
    for (const remove of removers) remove()
    stopChannels()
    socket.close()
  }
}
