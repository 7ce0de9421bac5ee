import { Plug } from 'lucide-react'
import { useEffect, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import { isAdmin } from '../../features/auth/session-store.ts'
import { ChatScreen, type ChatModel, type ComposerPlace } from '../../features/chat/chat-screen.tsx'
import { selectChat } from '../../features/chats/chats-store.ts'
import { ModelPicker } from '../../features/models/model-picker.tsx'
import { selectModelInUse, showModel, showPreferredModel } from '../../features/models/models-store.ts'
import { PromptMenu } from '../../features/prompts/prompt-menu.tsx'
import { navigate, toPath } from '../../lib/router.ts'
import { Button } from '../../ui/button.tsx'
import { ChatHeader } from '../chat-header.tsx'
import { ErrorBoundary } from '../error-boundary.tsx'
import { chatsStore, modelsStore, promptsStore, sessionStore } from '../stores.ts'

const seeModel = (id: string): void => showModel(modelsStore, id)

const openConnections = (): void => navigate(toPath({ name: 'settings', page: 'connections' }))

function ConnectButton() {
  const { t } = useTranslation()
  return (
    <Button icon={<Plug className="size-4" />} onClick={openConnections}>
      {t('models.connectFirst')}
    </Button>
  )
}

/** The prompt library behind a slash. */
function ComposerMenu(place: ComposerPlace) {
  const name = useStore(sessionStore, (state) => state.user?.name ?? '')
  const email = useStore(sessionStore, (state) => state.user?.email ?? '')
  return <PromptMenu store={promptsStore} user={{ name, email }} {...place} />
}

/** The model as the conversation needs it. */
function useChatModel(): ChatModel | null {
  const model = useStore(modelsStore, selectModelInUse)
  return useMemo(() => model && { id: model.id, name: model.name, isLocal: model.connection_type === 'local' }, [model])
}

function useDocumentTitle(chatId: string | null): void {
  const { t } = useTranslation()
  const title = useStore(chatsStore, (state) => selectChat(chatId)(state)?.title)
  const name = t('common.productName')
  useEffect(() => {
    document.title = title ? `${title} · ${name}` : name
  }, [title, name])
}

/** One conversation with its header, or the page for a new one. */
export function ChatPage({ chatId, messageId }: { chatId: string | null; messageId: string | null }) {
  const model = useChatModel()
  const admin = useStore(sessionStore, isAdmin)
  const userName = useStore(sessionStore, (state) => state.user?.name) ?? ''
  useDocumentTitle(chatId)
  useEffect(() => {
    if (chatId === null) showPreferredModel(modelsStore)
  }, [chatId])
  return (
    <>
      <ChatHeader chatId={chatId} />
      <div className="min-h-0 flex-1">
        <ErrorBoundary resetKey={chatId ?? ''}>
          <ChatScreen
            chatId={chatId}
            messageId={messageId}
            model={model}
            modelPicker={<ModelPicker store={modelsStore} onConnect={admin ? openConnections : undefined} />}
            connect={admin && <ConnectButton />}
            userName={userName}
            composerMenu={ComposerMenu}
            onModelSeen={seeModel}
          />
        </ErrorBoundary>
      </div>
    </>
  )
}
