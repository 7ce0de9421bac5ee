import type { ChatListItem } from '#contract/chats.ts'
import { commands, type EventPayload, type UpdateState } from '#desktop'
import { neighbourOf, selectChat } from '../../features/chats/chats-store.ts'
import { setSelecting } from '../../features/chats/select-chats.ts'
import { SEARCH_FIELD_ID } from '../../features/chats/search-field.tsx'
import { toggleTemporary } from '../../features/chat/chat-toolbar.tsx'
import { changeAppearance } from '../../features/settings/preferences-store.ts'
import { matchesAccelerator } from '../../lib/accelerator.ts'
import { isDark } from '../../lib/appearance.ts'
import { registerCommands, runCommand } from '../../lib/commands.ts'
import { translate } from '../../lib/i18n.ts'
import { desktop } from '../../lib/desktop.ts'
import { chatPath, currentRoute, navigate, type Route, toPath } from '../../lib/router.ts'
import { holdToast, toast } from '../../ui/floating/toast.tsx'
import { beginChat } from '../chats/begin-chat.ts'
import { chatActions } from '../chats/chat-actions.ts'
import { openDialog } from '../chats/dialogs-store.ts'
import { showSidebar, toggleSidebar } from '../shell/layout-store.ts'
import { chatsStore, layoutStore, preferencesStore } from '../stores.ts'

const shownChatId = (): string | null => {
  const route = currentRoute()
  return route.name === 'chat' ? route.chatId : null
}

const shownChat = () => selectChat(shownChatId())(chatsStore.getState())

function stepChat(step: 1 | -1): void {
  const chat = neighbourOf(chatsStore.getState(), shownChatId(), step)
  if (chat) navigate(chatPath(chat.id))
}

function focusSearch(): void {
  if (currentRoute().name === 'settings') navigate(chatPath(null))
  showSidebar(layoutStore)
  // The list may not be rendered until now.
  setTimeout(() => document.getElementById(SEARCH_FIELD_ID)?.focus())
}

/** Applies an action to the chat on screen, regardless of whether the list contains it. */
const withShown = (act: (chat: ChatListItem) => void) => (): void => {
  const chat = shownChat()
  if (chat) act(chat)
}

const goTo = (route: Route) => (): void => navigate(toPath(route))

const handlers = {
  'chat.new': () => {
    beginChat(null)
  },
  'settings.open': () => navigate(toPath({ name: 'settings', page: 'account' })),
  'palette.open': () => layoutStore.setState(({ paletteOpen }) => ({ paletteOpen: !paletteOpen })),
  'sidebar.toggle': () => toggleSidebar(layoutStore),
  'theme.toggle': () => {
    const { theme } = preferencesStore.getState().appearance
    changeAppearance(preferencesStore, { theme: isDark(theme) ? 'light' : 'dark' })
  },
  'chat.search': focusSearch,
  'chat.previous': () => stepChat(-1),
  'chat.next': () => stepChat(1),
  'chat.temporary': () => {
    navigate(chatPath(null))
    toggleTemporary()
  },
  'chat.rename': withShown(chatActions.startRename),
  'chat.pin': withShown(chatActions.togglePin),
  'chat.move': withShown((chat) => chatActions.move([chat])),
  'chat.tags': withShown((chat) => chatActions.editTags([chat])),
  'chat.share': withShown(chatActions.share),
  'chat.clone': withShown(chatActions.clone),
  'chat.export': withShown((chat) => chatActions.exportAs([chat], 'markdown')),
  'chat.print': withShown(chatActions.print),
  'chat.archive': withShown((chat) =>
    chat.archived ? chatActions.unarchive([chat]) : chatActions.archive([chat]),
  ),
  'chat.delete': withShown((chat) => chatActions.remove([chat])),
  'chats.select': () => {
    showSidebar(layoutStore)
    setSelecting(chatsStore, true)
  },
  'chats.starred': goTo({ name: 'starred' }),
  'chats.archived': goTo({ name: 'archived' }),
  'chats.shared': goTo({ name: 'shared' }),
  'chats.trash': goTo({ name: 'trash' }),
  'workspace.models': goTo({ name: 'workspace', area: 'models', item: null }),
  'workspace.prompts': goTo({ name: 'workspace', area: 'prompts', item: null }),
  'workspace.skills': goTo({ name: 'workspace', area: 'skills', item: null }),
  'workspace.notes': goTo({ name: 'workspace', area: 'notes', item: null }),
  'workspace.knowledge': goTo({ name: 'workspace', area: 'knowledge', item: null }),
  'workspace.files': goTo({ name: 'workspace', area: 'files', item: null }),
  'workspace.tools': goTo({ name: 'workspace', area: 'tools', item: null }),
  'workspace.functions': goTo({ name: 'workspace', area: 'functions', item: null }),
  'workspace.pictures': goTo({ name: 'pictures' }),
  // The gallery focuses the description field once it is mounted.
  'picture.make': () => navigate(`${toPath({ name: 'pictures' })}#make`),
  'folder.new': () => openDialog({ kind: 'new-folder', parentId: null }),
  'data.import': goTo({ name: 'settings', page: 'data' }),
  'help.shortcuts': () => layoutStore.setState({ shortcutsOpen: true }),
  'help.about': () => navigate(toPath({ name: 'settings', page: 'about' })),
}

let takeNoticeAway = (): void => undefined

/**
 * Shows what there is to know about the gateway for as long as that lasts, and offers to restart one
 * that does not answer, or that the app has stopped restarting by itself.
 */
function showGatewayState({ state, detail }: EventPayload<'gateway.state'>): void {
  takeNoticeAway()
  if (state === 'ready' && detail !== null) toast({ tone: 'warning', text: detail, lasts: true })
  if (state !== 'silent' && state !== 'failed') return
  takeNoticeAway = holdToast({
    tone: state === 'silent' ? 'warning' : 'danger',
    text: detail ?? translate(state === 'silent' ? 'common.gatewaySilent' : 'common.unreachable'),
    lasts: true,
    action: {
      label: translate('common.restartGateway'),
      onSelect: () => void desktop?.request('gateway.restart', {}),
    },
  })
}

/** A version found by an automatic check is announced on every screen. */
async function tellUpdate({ isNews, phase, found }: UpdateState): Promise<void> {
  if (!isNews || !found || (phase !== 'found' && phase !== 'ready')) return
  await import('../../lib/desktop-strings.ts')
  toast({
    text: translate(`desktopApp.updates.${phase}`, { version: found.version }),
    action: {
      label: translate('desktopApp.updates.show'),
      onSelect: () => navigate('/settings/desktop'),
    },
  })
}

function handleKeyDown(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.isComposing) return
  const row = commands.find(
    (each) => each.accelerator && matchesAccelerator(event, each.accelerator),
  )
  if (row && runCommand(row.id)) event.preventDefault()
}

/**
 * Activates all commands for the keyboard and the native menu; returns the function that
 * deactivates them.
 */
export function startCommands(): () => void {
  const removers = [
    registerCommands(handlers),
    desktop?.on('command', ({ id }) => runCommand(id)),
    desktop?.on('place.open', ({ path }) => navigate(path)),
    desktop?.on('gateway.state', showGatewayState),
    desktop?.on('updates.state', (state) => void tellUpdate(state)),
  ]
  window.addEventListener('keydown', handleKeyDown)
  return () => {
    window.removeEventListener('keydown', handleKeyDown)
    for (const remove of removers) remove?.()
  }
}
