import '../../lib/desktop-strings.ts'
import { ExternalLink, MessageCircleDashed, SquarePen, X } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import { isAdmin } from '../../features/auth/session-store.ts'
import type { OpenChat } from '../../features/chat/chat-registry.ts'
import { ChatScreen } from '../../features/chat/chat-screen.tsx'
import { isTemporaryId, selectIsAnswering, selectIsEmpty } from '../../features/chat/chat-store.ts'
import { toggleTemporary } from '../../features/chat/chat-toolbar.tsx'
import { chatViewStore } from '../../features/chat/chat-view-store.ts'
import { ApprovalCard } from '../../features/dialogs/approval-card.tsx'
import { QuestionDialog } from '../../features/dialogs/question-dialog.tsx'
import { ModelPicker } from '../../features/models/model-picker.tsx'
import { showPreferredModel } from '../../features/models/models-store.ts'
import { registerCommands, runCommand } from '../../lib/commands.ts'
import { desktop } from '../../lib/desktop.ts'
import { chatPath, navigate, toPath } from '../../lib/router.ts'
import { Button } from '../../ui/controls/button.tsx'
import { IconButton } from '../../ui/controls/icon-button.tsx'
import { modelMarks } from '../following/keep-model-marks.ts'
import { actInQuickWindow } from '../shell/quick-window.tsx'
import { dialogs, modelsStore, preferencesStore, sessionStore } from '../stores.ts'
import { ComposerMenu, useChatModels, useChatRights } from './chat-page.tsx'

/** Selector of overlays that need more space than the conversation. */
const OVERLAY = '[data-radix-popper-content-wrapper], [role="dialog"], [role="alertdialog"]'

const hide = (): void => void actInQuickWindow({ act: 'hide' })

const startOver = (): void => {
  runCommand('chat.startOver')
  setTimeout(() => runCommand('composer.focus'))
}

const isShowingOverlay = (): boolean => document.querySelector(OVERLAY) !== null

/** True while an overlay is open. */
function useOverlay(): boolean {
  const [isOpen, setOpen] = useState(false)
  useEffect(() => {
    const observer = new MutationObserver(() => setOpen(isShowingOverlay()))
    observer.observe(document.body, { childList: true })
    return () => observer.disconnect()
  }, [])
  return isOpen
}

/** Resizes the window to its contents. */
function useWindowSize(isTall: boolean): void {
  useEffect(() => {
    void actInQuickWindow({ act: 'resize', isTall })
  }, [isTall])
}

/** Escape hides the window unless something else handles the key first. */
function useEscape(chat: OpenChat | null): void {
  useEffect(() => {
    const handleKey = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape' || event.defaultPrevented || event.isComposing) return
      if (isShowingOverlay() || (chat && selectIsAnswering(chat.store.getState()))) return
      hide()
    }
    document.addEventListener('keydown', handleKey)
    return () => document.removeEventListener('keydown', handleKey)
  }, [chat])
}

/**
 * Focuses the input each time the window is shown, and starts a new chat after a period of
 * inactivity.
 */
function useComingUp(chat: OpenChat | null): void {
  useEffect(
    () =>
      desktop?.on('quickAsk.shown', ({ isLongAgo }) => {
        const isBusy = chat !== null && selectIsAnswering(chat.store.getState())
        if (isLongAgo && !isBusy) startOver()
        else runCommand('composer.focus')
      }),
    [chat],
  )
}

function Header({ chat }: { chat: OpenChat }) {
  const { t } = useTranslation()
  const isEmpty = useStore(chat.store, selectIsEmpty)
  const chatId = useStore(chat.store, (state) => state.chatId)
  const isTemporary = useStore(chatViewStore, (state) => state.isTemporary)
  const rights = useChatRights()
  const isStored = chatId !== null && !isTemporaryId(chatId)
  const goOn = (): void => {
    if (!isStored) return
    void actInQuickWindow({ act: 'continue', path: chatPath(chatId) }).then(startOver)
  }
  return (
    <header className="flex h-header shrink-0 items-center gap-1 px-3 [-webkit-app-region:drag]">
      <h1 className="min-w-0 flex-1 truncate text-ui font-medium text-muted">
        {t('desktopApp.quick.title')}
      </h1>
      <span className="flex items-center gap-0.5 [-webkit-app-region:no-drag]">
        {isEmpty && rights.temporary && !rights.isTemporaryEnforced && (
          <IconButton
            label={t('desktopApp.quick.temporary')}
            icon={<MessageCircleDashed />}
            aria-pressed={isTemporary}
            className={isTemporary ? 'bg-pressed text-ink' : undefined}
            onClick={toggleTemporary}
          />
        )}
        {!isEmpty && (
          <IconButton
            label={t('desktopApp.quick.again')}
            accelerator="CmdOrCtrl+N"
            icon={<SquarePen />}
            onClick={startOver}
          />
        )}
        {!isEmpty && (
          <Button
            icon={<ExternalLink className="size-3.5" />}
            disabled={!isStored}
            title={isStored ? undefined : t('desktopApp.quick.continueLater')}
            onClick={goOn}
          >
            {t('desktopApp.quick.continue')}
          </Button>
        )}
        <IconButton label={t('desktopApp.quick.hide')} icon={<X />} onClick={hide} />
      </span>
    </header>
  )
}

function NotSetUp() {
  const { t } = useTranslation()
  return (
    <main className="flex h-full flex-col items-center justify-center gap-3 px-6 text-center">
      <p className="text-ui text-muted">{t('desktopApp.quick.notSetUp')}</p>
      <Button tone="primary" onClick={() => navigate(chatPath(null))}>
        {t('desktopApp.quick.open')}
      </Button>
    </main>
  )
}

const openConnections = (): void => navigate(toPath({ name: 'settings', page: 'connections' }))

const titleOf = (): string => ''

/** The quick-ask window of the desktop app. */
export function QuickScreen() {
  const { t } = useTranslation()
  const welcomed = useStore(preferencesStore, (state) => state.welcomed)
  const [chat, setChat] = useState<OpenChat | null>(null)
  return welcomed ? (
    <main className="flex h-full flex-col bg-page">
      {chat && <Header chat={chat} />}
      <Question chat={chat} onShown={setChat} />
      {chat && <Hint chat={chat} text={t('desktopApp.quick.hint')} />}
    </main>
  ) : (
    <NotSetUp />
  )
}

function Hint({ chat, text }: { chat: OpenChat; text: string }) {
  const isEmpty = useStore(chat.store, selectIsEmpty)
  const isTall = useOverlay() || !isEmpty
  useWindowSize(isTall)
  return isEmpty && <p className="shrink-0 px-6 pb-3 text-center text-small text-muted">{text}</p>
}

function Approval({ chat }: { chat: OpenChat }) {
  const chatId = useStore(chat.store, (state) => state.chatId)
  return <ApprovalCard dialogs={dialogs} chatId={chatId} />
}

function Question({ chat, onShown }: { chat: OpenChat | null; onShown: (chat: OpenChat) => void }) {
  const rights = useChatRights()
  const admin = useStore(sessionStore, isAdmin)
  const { model, again } = useChatModels(false)
  useEscape(chat)
  useComingUp(chat)
  useEffect(() => {
    showPreferredModel(modelsStore)
    return registerCommands({ 'chat.new': startOver })
  }, [])
  return (
    <div className="min-h-0 flex-1">
      <ChatScreen
        chatId={null}
        draftId="quick"
        isSmall
        model={model}
        models={again}
        modelPicker={
          <ModelPicker
            store={modelsStore}
            onConnect={admin ? openConnections : undefined}
            marks={modelMarks}
          />
        }
        rights={rights}
        composerMenu={ComposerMenu}
        aboveComposer={chat && <Approval chat={chat} />}
        onShown={onShown}
      />
      <QuestionDialog dialogs={dialogs} titleOf={titleOf} />
    </div>
  )
}
