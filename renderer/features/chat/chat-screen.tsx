import {
  type ComponentProps,
  type ComponentType,
  type ReactNode,
  type RefObject,
  Suspense,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { useStore } from 'zustand'
import type { Suggestion } from '#contract/configs.ts'
import { registerCommand } from '../../lib/commands.ts'
import { useMedia } from '../../lib/use-media.ts'
import { loadMarkdown } from '../../ui/markdown/markdown.tsx'
import type { CodeCellParts } from '../../ui/markdown/code-cells.ts'
import { announceAnswers } from './announce-answers.ts'
import type { Attachments } from '../../ui/attachments/attachments-store.ts'
import { MentionMenu } from './attachments/mention-menu.tsx'
import { useAttachments } from '../../ui/attachments/use-attachments.ts'
import { WindowDrop } from '../../ui/attachments/window-drop.tsx'
import { applyBeginning } from './begin-chat.ts'
import { stopAnswer } from './branches/change-branch.ts'
// Loaded with the page, because one types into it at once.
import { FindBar } from './search/find-bar.tsx'
import { ChatContext, type RepairKey } from './chat-context.ts'
import { chatDeps, type OpenChat, openChat, refreshChat, setChatRights } from './chat-registry.ts'
import { ALL_RIGHTS, type ChatRights } from './chat-rights.ts'
import { ChatFailure, ChatLoading } from './chat-states.tsx'
import {
  type ChatModel,
  type ChatStore,
  isTemporaryId,
  selectIsAnswering,
  selectIsEmpty,
  selectPhase,
  toTemporaryId,
} from './chat-store.ts'
import { chatViewStore } from './chat-view-store.ts'
import { Composer } from './composer/composer.tsx'
import { type ComposerActions, createComposerRelay } from './composer/composer-relay.ts'
import { acknowledge, useChatCommands, useConversationView } from './conversation-view.ts'
import { DeleteDialog } from './messages/delete-dialog.tsx'
import { Greeting, Suggestions } from './empty-chat.tsx'
import { MessageList, type MessageListHandle } from './messages/message-list.tsx'
import { loadPrices, pricesStore } from './prices-store.ts'
import { sendMessage } from './sending/send-message.ts'
import { TemporaryNote } from './temporary-note.tsx'
import { type SetUpPlugin, ToolPicker, useHasTools } from './tools/tool-picker.tsx'
import { loadTools, toolsStore } from './tools/tools-store.ts'
import { FoldedFeatures } from './tools/folded-features.tsx'
import { WebSearchSwitch } from './tools/web-search-switch.tsx'
import { useBoxFocus } from './composer/use-box-focus.ts'
import { ON_PHONE } from './composer/on-phone.ts'
import { useDraft } from './composer/use-draft.ts'
import { useSoughtMarks } from './search/use-sought-marks.ts'
import { useSending } from './composer/use-sending.ts'
import { VoiceTools } from './voice/voice-tools.tsx'
import { newId } from '../../lib/new-id.ts'
import { toastError } from '../../ui/floating/toast.tsx'
import { lazyPart } from '../../lib/lazy-part.ts'

export type { ChatModel, ModelFeature } from './chat-store.ts'
export type { SetUpPlugin } from './tools/tool-picker.tsx'

const PicturesSwitch = lazyPart(() => import('./pictures/pictures-switch.tsx'), 'PicturesSwitch')
const CodeSwitch = lazyPart(() => import('./tools/code-switch.tsx'), 'CodeSwitch')
const ChosenChips = lazyPart(() => import('./tools/chosen-chips.tsx'), 'ChosenChips')
const QueuedMessages = lazyPart(() => import('./composer/queued-messages.tsx'), 'QueuedMessages')
const ChatExtras = lazyPart(() => import('./chat-extras.tsx'), 'ChatExtras')

/** The message box and its text. */
export interface ComposerPlace {
  readonly box: RefObject<HTMLTextAreaElement | null>
  readonly text: string
  readonly onChange: (text: string) => void
}

export interface ChatScreenProps {
  /** Id of the chat; null for a chat that its first message creates. */
  readonly chatId: string | null
  /** Id under which the draft is stored, if not that of the chat. */
  readonly draftId?: string
  /** Omits the elements around the composer of a new chat, for a small window. */
  readonly isSmall?: boolean
  /** Id of a message to show first, from a search. */
  readonly messageId?: string | null
  /** Model of the next message; null if there is none. */
  readonly model: ChatModel | null
  /** Additional models that answer the same message. */
  readonly others?: readonly ChatModel[]
  /** Models that another answer can be requested from. */
  readonly models?: readonly ChatModel[]
  /** Control that selects the models. */
  readonly modelPicker: ReactNode
  /** Control that adds models which answer too; as a row of a menu or beside the picker. */
  readonly compare?: (isRow: boolean) => ReactNode
  /** Removes one of the additional models. */
  readonly onDropOther?: (modelId: string) => void
  /** Link to set up a first model, shown while there is none. */
  readonly connect?: ReactNode
  /** Search terms that led to the message in the URL, separated by spaces. */
  readonly sought?: string
  /** Link to the billing page of a connection's account; absent for users who may not repair it. */
  readonly payment?: (connection: string) => ReactNode
  /** Form that replaces a rejected key; absent for users who may not repair a connection. */
  readonly repair?: RepairKey
  readonly userName?: string
  readonly rights?: ChatRights
  /** Conversation starters chosen by an administrator. */
  readonly suggestions?: readonly Suggestion[]
  /** Receives the models used in an opened chat. */
  readonly onModelsSeen?: (modelIds: readonly string[]) => void
  /** Menu that opens over the composer while the user types, such as a list of commands. */
  readonly composerMenu?: ComponentType<ComposerPlace>
  /** Opens the user's settings for a tool or filter. */
  readonly onSetUp?: (plugin: SetUpPlugin) => void
  /** Requests that await a decision before an answer continues. */
  readonly aboveComposer?: ReactNode
  /** Components that run the code of answers, if permitted. */
  readonly codeCells?: CodeCellParts
  /** Receives the conversation shown. */
  readonly onShown?: (chat: OpenChat) => void
}

const NO_OTHERS: readonly ChatModel[] = []

function useChatEffects(
  chat: OpenChat,
  { chatId, messageId = null, onModelsSeen, rights = ALL_RIGHTS }: ChatScreenProps,
): void {
  const { store } = chat
  const listener = useRef(onModelsSeen)
  useEffect(() => {
    listener.current = onModelsSeen
  }, [onModelsSeen])
  useEffect(() => {
    if (chatId !== null) void refreshChat(chat, messageId)
  }, [chat, chatId, messageId])
  useEffect(() => setChatRights(rights), [rights])
  useEffect(() => announceAnswers(store), [store])
  useEffect(() => {
    const idle = requestIdleCallback(() => {
      void loadMarkdown()
      void loadPrices(pricesStore)
      void loadTools(toolsStore)
    })
    return () => cancelIdleCallback(idle)
  }, [])
  const usedModels = useStore(store, (state) => state.models.join('\n'))
  useEffect(() => {
    if (usedModels !== '') listener.current?.(usedModels.split('\n'))
  }, [chat, usedModels])
}

/** Applies the parameters of a new chat's URL once, as soon as a model is available. */
function useBeginning(
  store: ChatStore,
  {
    chatId,
    model,
    rights = ALL_RIGHTS,
    attachments,
  }: ChatScreenProps & { attachments: Attachments },
  { send, quote }: ComposerActions,
): void {
  const mayAttachPages = rights.attach.page
  const beginning = useStore(chatViewStore, (state) => state.beginning)
  const isReady = chatId === null && (model !== null || beginning?.isSent === false)
  useEffect(() => {
    if (!beginning || !isReady) return
    chatViewStore.setState({ beginning: null })
    applyBeginning(beginning, { store, model, attachments, mayAttachPages })
    if (beginning.text === '') return
    if (beginning.isSent) send(beginning.text)
    else quote(beginning.text)
  }, [beginning, isReady, store, model, attachments, mayAttachPages, send, quote])
}

interface FeaturesProps extends Pick<ChatScreenProps, 'model' | 'onSetUp'> {
  readonly store: OpenChat['store']
  readonly rights: ChatRights
}

/** Tools and features of the next answers. */
const Features = ({ store, model, rights, onSetUp }: FeaturesProps) => (
  <>
    <ToolPicker store={store} model={model} onSetUp={onSetUp} />
    <WebSearchSwitch store={store} model={model} rights={rights.webSearch} />
    {/* Last and together, so that their later arrival moves nothing aside. */}
    <Suspense>
      {rights.code.isOffered && <CodeSwitch store={store} model={model} rights={rights.code} />}
      {rights.pictures.isOffered && (
        <PicturesSwitch store={store} model={model} rights={rights.pictures} />
      )}
    </Suspense>
  </>
)

/** Controls below the draft: the model and the tools of the next answer. */
function ComposerTools({ children, ...props }: FeaturesProps & { children: ReactNode }) {
  const { store, model, rights } = props
  const hasTools = useHasTools(model)
  const hasAny =
    hasTools || [rights.code, rights.webSearch, rights.pictures].some((each) => each.isOffered)
  return (
    <>
      {children}
      {hasAny && (
        <FoldedFeatures store={store} model={model}>
          <Features {...props} />
        </FoldedFeatures>
      )}
    </>
  )
}

/**
 * Returns the controls of the message box: beside each other, or on a phone as rows of its sheet,
 * with chips for those that are on.
 */
function useComposerTools(
  features: FeaturesProps,
  { modelPicker, compare, others = NO_OTHERS, onDropOther }: ChatScreenProps,
): Pick<ComponentProps<typeof Composer>, 'modelPicker' | 'sheet' | 'chosen'> {
  if (!useMedia(ON_PHONE))
    return {
      modelPicker: (
        <ComposerTools {...features}>
          {modelPicker}
          {compare?.(false)}
        </ComposerTools>
      ),
    }
  return {
    modelPicker,
    sheet: (
      <>
        {compare?.(true)}
        <Features {...features} />
      </>
    ),
    chosen: (
      <Suspense>
        <ChosenChips {...features} others={others} onDrop={onDropOther} />
      </Suspense>
    ),
  }
}

function Conversation({ chat, ...props }: ChatScreenProps & { chat: OpenChat }) {
  const {
    chatId,
    messageId = null,
    model,
    others = NO_OTHERS,
    models = NO_OTHERS,
    connect,
    userName = '',
    rights = ALL_RIGHTS,
    isSmall = false,
  } = props
  const draftId = props.draftId ?? chatId
  const { composerMenu: ComposerMenu, suggestions } = props
  const codeCells = (rights.code.mayRun && props.codeCells) || null
  const { store } = chat
  const phase = useStore(store, selectPhase)
  const isAnswering = useStore(store, selectIsAnswering)
  const isEmpty = useStore(store, selectIsEmpty)
  const hasQueued = useStore(chat.queue.store, (queued) => queued.length > 0)
  const isKept = useStore(store, (state) => state.chatId !== null && !isTemporaryId(state.chatId))
  const isTemporary =
    useStore(chatViewStore, (state) => state.isTemporary) || rights.isTemporaryEnforced
  const isFinding = useStore(chatViewStore, (state) => state.isFinding)
  const hasExtras = useStore(chatViewStore, (state) => state.panel !== null || state.isUsageOpen)
  const { draft, change, clear } = useDraft(draftId)
  const attachments = useAttachments(draftId)
  const box = useRef<HTMLTextAreaElement>(null)
  const list = useRef<MessageListHandle>(null)
  const [deletion, setDeletion] = useState<string | null>(null)
  const acknowledged = useMemo(() => acknowledge(chat, draftId), [chat, draftId])

  const send = (text: string, files: readonly unknown[] = []): void => {
    if (!model || selectIsAnswering(store.getState())) return
    if (isTemporary && store.getState().chatId === null)
      store.setState({ chatId: toTemporaryId(newId()) })
    void sendMessage(store, chatDeps, { text, model, others, files, acknowledged })
    list.current?.toEnd()
  }
  const propose = (text: string): void => {
    change({ ...draft, text })
    box.current?.focus()
  }
  const quote = (text: string): void => {
    const own = draft.text.trimEnd()
    if (own.endsWith(text)) propose(own)
    else propose(own === '' ? text : `${own}\n\n${text}`)
  }
  const typing = {
    box,
    text: draft.text,
    onChange: (text: string) => change({ ...draft, text }),
  }
  const [relay] = useState(createComposerRelay)
  useEffect(() => relay.connect({ send, propose, quote }))
  const view = useConversationView(chat, {
    model,
    others,
    models,
    mayConnect: Boolean(connect),
    payment: props.payment ?? null,
    repair: props.repair ?? null,
    mayRate: rights.rating,
    mayContinue: rights.continuing,
    pictures: rights.pictures,
    voice: rights.voice,
    askToDelete: setDeletion,
    codeCells,
    acknowledged,
    relay,
  })
  useChatEffects(chat, props)
  useSoughtMarks(messageId, props.sought ?? '', phase === 'ready' && !isEmpty)
  useChatCommands({ view, box })
  useBoxFocus(box)
  useBeginning(store, { ...props, attachments }, relay)

  const features = { store, model, rights, onSetUp: props.onSetUp }
  const tools = useComposerTools(features, { ...props, others })

  const sending = useSending(
    { chat, chatId: draftId, box, attachments, draft, change, clear },
    { model, others, acknowledged, send },
  )

  return (
    <ChatContext value={view}>
      <div className="flex h-full min-w-0">
        <div className="relative flex h-full min-w-0 flex-1 flex-col overflow-y-auto">
          {isTemporary && !isKept && (
            <TemporaryNote chat={chat} maySave={!rights.isTemporaryEnforced} />
          )}
          {isFinding && !isEmpty && <FindBar onShow={(id) => list.current?.show(id, false)} />}
          {isEmpty && !isSmall && <Greeting name={userName} model={model} />}
          {phase === 'failed' && <ChatFailure chat={chat} />}
          {phase === 'loading' && <ChatLoading />}
          {phase === 'ready' && !isEmpty && <MessageList jumpTo={messageId} handle={list} />}
          <div className="conversation-foot relative mx-auto w-full max-w-[calc(var(--column)+3rem)] shrink-0 px-3 pb-3 sm:px-6 sm:pb-5">
            {props.aboveComposer}
            {ComposerMenu && <ComposerMenu {...typing} />}
            <MentionMenu attachments={attachments} hasNotes={rights.attach.notes} {...typing} />
            {hasQueued && (
              <Suspense>
                <QueuedMessages
                  queue={chat.queue}
                  isAnswering={isAnswering}
                  onEdit={sending.takeBack}
                />
              </Suspense>
            )}
            <Composer
              draft={draft}
              box={box}
              isAnswering={isAnswering}
              isRead={phase === 'new' || phase === 'ready'}
              hasModel={model !== null}
              {...tools}
              attachments={attachments}
              attachRights={rights.attach}
              voice={<VoiceTools draft={draft} box={box} onChange={change} />}
              onChange={change}
              onSend={sending.send}
              onQueue={sending.queue}
              onSteer={sending.steer}
              onEditLast={sending.editLast}
              onStop={() => void stopAnswer(store, chatDeps).catch(toastError)}
            />
          </div>
          {isEmpty && !isSmall && (
            <Suggestions
              model={model}
              hint={connect}
              suggestions={suggestions}
              onChoose={propose}
            />
          )}
        </div>
        {hasExtras && (
          <Suspense>
            <ChatExtras rights={rights} onShow={(id) => list.current?.show(id)} />
          </Suspense>
        )}
      </div>
      {rights.attach.upload && (
        <WindowDrop onFiles={(files) => void attachments.uploads.add(files)} />
      )}
      <DeleteDialog chat={chat} messageId={deletion} onClose={() => setDeletion(null)} />
    </ChatContext>
  )
}

/** A conversation: its messages and the composer. In a new one the composer is centred. */
export function ChatScreen(props: ChatScreenProps) {
  const { chatId, onShown } = props
  // A first message that could not be sent stays on the page of the new chat, whose URL does not
  // change.
  const [beginning, setBeginning] = useState(0)
  // oxlint-disable-next-line react/exhaustive-deps -- each beginning asks for a fresh conversation
  const chat = useMemo(() => openChat(chatId), [chatId, beginning])
  useEffect(
    () =>
      chatId === null
        ? registerCommand('chat.startOver', () => setBeginning((count) => count + 1))
        : undefined,
    [chatId],
  )
  useEffect(() => onShown?.(chat), [chat, onShown])
  return <Conversation key={chat.key} chat={chat} {...props} />
}
