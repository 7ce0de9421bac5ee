import { type ComponentType, type ReactNode, type RefObject, useEffect, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import { toSentence } from '../../api/api-error.ts'
import { registerCommand, registerCommands } from '../../lib/commands.ts'
import { chatPath, currentRoute, navigate } from '../../lib/router.ts'
import { Button } from '../../ui/button.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { loadMarkdown } from '../../ui/markdown/markdown.tsx'
import { toast } from '../../ui/toast.tsx'
import { announceAnswers } from './announce-answers.ts'
import { stopAnswer, switchBranch } from './change-branch.ts'
import { ChatContext, type ChatView } from './chat-context.ts'
import { chatDeps, type OpenChat, openChat, refreshChat } from './chat-registry.ts'
import { type ChatModel, selectIsAnswering, selectIsEmpty, selectLastMessage, selectPhase } from './chat-store.ts'
import { Composer } from './composer.tsx'
import { DeleteDialog } from './delete-dialog.tsx'
import { emptyDraft, keepDraft, toMessageText } from './draft.ts'
import { Greeting, Suggestions } from './empty-chat.tsx'
import { readBranch } from './load-chat.ts'
import { MessageList, type MessageListHandle } from './message-list.tsx'
import { editMessage, regenerateAnswer, retryAnswer, sendMessage } from './send-message.ts'
import { useDraft } from './use-draft.ts'

export type { ChatModel } from './chat-store.ts'

/** The message box and its text. */
export interface ComposerPlace {
  readonly box: RefObject<HTMLTextAreaElement | null>
  readonly text: string
  readonly onChange: (text: string) => void
}

export interface ChatScreenProps {
  /** Null for a chat that begins with its first message. */
  readonly chatId: string | null
  /** A message to show first, from a search. */
  readonly messageId?: string | null
  /** The model the next message goes to; null while there is none. */
  readonly model: ChatModel | null
  /** The control that chooses it. */
  readonly modelPicker: ReactNode
  /** The way to a first model, shown while there is none. */
  readonly connect?: ReactNode
  readonly userName?: string
  /** What opens over the composer while somebody types, such as a list of commands. */
  readonly composerMenu?: ComponentType<ComposerPlace>
  /** Hears of the model an opened chat was held with. */
  readonly onModelSeen?: (modelId: string) => void
}

const tell = (thrown: unknown): void => toast({ tone: 'danger', text: toSentence(thrown) })

/** Once the first message is stored, its draft goes and the address becomes the chat's own, if the new-chat page is still shown. */
const acknowledge =
  (draftOf: string | null) =>
  (chatId: string): void => {
    keepDraft(draftOf, emptyDraft)
    const route = currentRoute()
    if (route.name === 'chat' && route.chatId === null) navigate(chatPath(chatId), { replace: true })
  }

interface ViewParts {
  readonly model: ChatModel | null
  readonly askToDelete: (messageId: string) => void
  readonly acknowledged: (chatId: string) => void
}

/** What can be done with the conversation, always with the model chosen now. */
function toChatView(chat: OpenChat, { model, askToDelete, acknowledged }: ViewParts): ChatView {
  const { store } = chat
  const withModel =
    (act: (model: ChatModel, id: string, text: string) => Promise<void>) =>
    (id: string, text = ''): void => {
      if (model && !selectIsAnswering(store.getState())) act(model, id, text).catch(tell)
    }
  return {
    chat,
    model,
    regenerate: withModel((chosen, answerId) => regenerateAnswer(store, chatDeps, { answerId, model: chosen })),
    retry: withModel((chosen, answerId) => retryAnswer(store, chatDeps, { answerId, model: chosen, acknowledged })),
    edit: withModel((chosen, messageId, text) => editMessage(store, chatDeps, { messageId, text, model: chosen })),
    switchTo: (siblingId) => void switchBranch(store, chatDeps, siblingId).catch(tell),
    askToDelete,
  }
}

interface Commands {
  readonly view: ChatView
  readonly box: RefObject<HTMLTextAreaElement | null>
}

function useChatCommands({ view, box }: Commands): void {
  useEffect(() => {
    const { store } = view.chat
    const lastAnswer = () => {
      const last = selectLastMessage(store.getState())
      return last?.role === 'assistant' ? last : undefined
    }
    return registerCommands({
      'composer.focus': () => box.current?.focus(),
      'answer.stop': () => void stopAnswer(store, chatDeps).catch(tell),
      'answer.regenerate': () => {
        const last = lastAnswer()
        if (last) view.regenerate(last.id)
      },
      'answer.copy': () => {
        const last = lastAnswer()
        if (last) void navigator.clipboard.writeText(last.content).catch(tell)
      },
    })
  }, [view, box])
}

function ChatFailure({ chat }: { chat: OpenChat }) {
  const { t } = useTranslation()
  const failure = useStore(chat.store, (state) => state.failure)
  return (
    <div role="alert" className="flex flex-1 flex-col items-center justify-center gap-3 px-6 text-center">
      <p className="text-head-1 font-semibold">{t('chat.list.failed')}</p>
      <p className="max-w-md text-ui text-muted">{failure}</p>
      <Button onClick={() => void readBranch(chat.store, chatDeps)}>{t('chat.list.retry')}</Button>
    </div>
  )
}

const ChatLoading = () => {
  const { t } = useTranslation()
  return (
    <div className="flex flex-1 items-center justify-center text-muted">
      <Spinner className="animate-appear [animation-delay:200ms]" />
      <span className="sr-only">{t('chat.list.loading')}</span>
    </div>
  )
}

function useChatEffects(chat: OpenChat, { chatId, messageId = null, onModelSeen }: ChatScreenProps): void {
  const { store } = chat
  const listener = useRef(onModelSeen)
  useEffect(() => {
    listener.current = onModelSeen
  }, [onModelSeen])
  useEffect(() => {
    if (chatId !== null) void refreshChat(chat, messageId)
  }, [chat, chatId, messageId])
  useEffect(() => announceAnswers(store), [store])
  useEffect(() => {
    const idle = requestIdleCallback(() => void loadMarkdown())
    return () => cancelIdleCallback(idle)
  }, [])
  const usedModel = useStore(store, (state) => state.models[0])
  useEffect(() => {
    if (usedModel !== undefined) listener.current?.(usedModel)
  }, [chat, usedModel])
}

function Conversation({ chat, ...props }: ChatScreenProps & { chat: OpenChat }) {
  const { chatId, messageId = null, model, modelPicker, connect, userName = '', composerMenu: ComposerMenu } = props
  const { store } = chat
  const phase = useStore(store, selectPhase)
  const isAnswering = useStore(store, selectIsAnswering)
  const isEmpty = useStore(store, selectIsEmpty)
  const { draft, change, clear } = useDraft(chatId)
  const box = useRef<HTMLTextAreaElement>(null)
  const list = useRef<MessageListHandle>(null)
  const [deletion, setDeletion] = useState<string | null>(null)
  const acknowledged = useMemo(() => acknowledge(chatId), [chatId])
  const view = useMemo(() => toChatView(chat, { model, askToDelete: setDeletion, acknowledged }), [chat, model, acknowledged])
  useChatEffects(chat, props)
  useChatCommands({ view, box })

  const handleSend = (): void => {
    if (!model) return
    const text = toMessageText(draft)
    keepDraft(chatId, draft)
    clear()
    void sendMessage(store, chatDeps, { text, model, acknowledged })
    list.current?.toEnd()
    box.current?.focus()
  }
  const handleSuggestion = (text: string): void => {
    change({ ...draft, text })
    box.current?.focus()
  }

  return (
    <ChatContext value={view}>
      <div className="flex h-full flex-col overflow-y-auto">
        {isEmpty && <Greeting name={userName} />}
        {phase === 'failed' && <ChatFailure chat={chat} />}
        {phase === 'loading' && <ChatLoading />}
        {phase === 'ready' && !isEmpty && <MessageList jumpTo={messageId} handle={list} />}
        <div className="conversation-foot relative mx-auto w-full max-w-[calc(var(--column)+3rem)] shrink-0 px-3 pb-3 sm:px-6 sm:pb-5">
          {ComposerMenu && <ComposerMenu box={box} text={draft.text} onChange={(text) => change({ ...draft, text })} />}
          <Composer
            draft={draft}
            box={box}
            isAnswering={isAnswering}
            hasModel={model !== null}
            modelPicker={modelPicker}
            onChange={change}
            onSend={handleSend}
            onStop={() => void stopAnswer(store, chatDeps).catch(tell)}
          />
        </div>
        {isEmpty && <Suggestions model={model} hint={connect} onChoose={handleSuggestion} />}
      </div>
      <DeleteDialog chat={chat} messageId={deletion} onClose={() => setDeletion(null)} />
    </ChatContext>
  )
}

/** A conversation: its messages and the composer. For a new one the composer stands in the middle. */
export function ChatScreen(props: ChatScreenProps) {
  const { chatId } = props
  // A first message that could not be sent stays on the page of the new chat, whose address does not change.
  const [beginning, setBeginning] = useState(0)
  // oxlint-disable-next-line react/exhaustive-deps -- each beginning asks for a fresh conversation
  const chat = useMemo(() => openChat(chatId), [chatId, beginning])
  useEffect(() => (chatId === null ? registerCommand('chat.startOver', () => setBeginning((count) => count + 1)) : undefined), [chatId])
  return <Conversation key={chat.key} chat={chat} {...props} />
}
