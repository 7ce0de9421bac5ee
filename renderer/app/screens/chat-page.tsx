import { Plug } from 'lucide-react'
import { Suspense, useEffect, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import { useShallow } from 'zustand/react/shallow'
import { findPrice } from '#contract/find-price.ts'
import type { Suggestion } from '#contract/configs.ts'
import type { Model } from '#contract/models.ts'
import { isAdmin, isGuest, type SessionState } from '../../features/auth/session-store.ts'
import type {
  ChatPictureRights,
  ChatRights,
  CodeRights,
  WebSearchRights,
} from '../../features/chat/chat-rights.ts'
import {
  ChatScreen,
  type ChatModel,
  type ComposerPlace,
  type ModelFeature,
  type SetUpPlugin,
} from '../../features/chat/chat-screen.tsx'
import { ChatToolbar } from '../../features/chat/chat-toolbar.tsx'
import { chatViewStore } from '../../features/chat/chat-view-store.ts'
import { pricesStore } from '../../features/chat/prices-store.ts'
import { selectChat } from '../../features/chats/chats-store.ts'
import { ModelMenu } from '../../features/models/model-menu.tsx'
import { soughtWords } from '../../features/chats/search-chats.ts'
import { FurtherModels } from '../../features/models/further-models.tsx'
import { ModelPicker } from '../../features/models/model-picker.tsx'
import { GUIDE_ID } from '../../features/models/name-guide.ts'
import {
  removeModel,
  selectModelInUse,
  selectOthers,
  showModels,
  showPreferredModel,
} from '../../features/models/models-store.ts'
import { ApprovalCard } from '../../features/dialogs/approval-card.tsx'
import { PromptMenu } from '../../features/prompts/prompt-menu.tsx'
import { translate } from '../../lib/i18n.ts'
import { type ChatBeginning, chatPath, navigate, toPath, workspacePath } from '../../lib/router.ts'
import { Button } from '../../ui/controls/button.tsx'
import { toast } from '../../ui/floating/toast.tsx'
import { ChatHeader } from '../chats/chat-header.tsx'
import { codeCells } from '../chats/code-cells.ts'
import { showPayment, showRepair } from '../chats/repair-connection.tsx'
import { ErrorBoundary } from '../start/error-boundary.tsx'
import {
  isPermitted,
  mayEditPictures,
  mayMakePictures,
  mayRate,
  mayUseMemories,
  mayUseNotes,
  voiceRightsOf,
} from '../person/permissions.ts'
import { modelMarks } from '../following/keep-model-marks.ts'
import {
  chatsStore,
  dialogs,
  modelsStore,
  preferencesStore,
  promptsStore,
  sessionStore,
} from '../stores.ts'
import { toFields } from '../../lib/fields.ts'
import { lazyPart } from '../../lib/lazy-part.ts'

const OwnPluginSettings = lazyPart(
  () => import('../person/own-plugin-settings.tsx'),
  'OwnPluginSettings',
)

const seeModels = (ids: readonly string[]): void => showModels(modelsStore, ids)

const dropModel = (id: string): void => removeModel(modelsStore, id)

const openConnections = (): void => navigate(toPath({ name: 'settings', page: 'connections' }))

function ConnectButton() {
  const { t } = useTranslation()
  return (
    <Button icon={<Plug className="size-4" />} onClick={openConnections}>
      {t('models.connectFirst')}
    </Button>
  )
}

/** Opens the editor of a new model. */
const openNewModel = (): void => navigate(workspacePath('models', ''))
const openPrompts = (): void => navigate(workspacePath('prompts'))

/** The prompt library opened by a slash, and the models opened by an at sign. */
export function ComposerMenu(place: ComposerPlace) {
  const name = useStore(sessionStore, (state) => state.user?.name ?? '')
  const email = useStore(sessionStore, (state) => state.user?.email ?? '')
  const mayWrite = useStore(sessionStore, isPermitted('workspace.prompts'))
  const admin = useStore(sessionStore, isAdmin)
  return (
    <>
      <PromptMenu
        store={promptsStore}
        user={{ name, email }}
        onCreate={mayWrite ? openPrompts : undefined}
        {...place}
      />
      <ModelMenu store={modelsStore} onConnect={admin ? openConnections : undefined} {...place} />
    </>
  )
}

const toIds = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((id) => typeof id === 'string') : []

const toFeatures = (rows: readonly Readonly<Record<string, unknown>>[]): readonly ModelFeature[] =>
  rows.flatMap(({ id, name, description, icon, has_user_valves: hasUserValves }) =>
    typeof id === 'string' && typeof name === 'string'
      ? [
          {
            id,
            name,
            description: typeof description === 'string' ? description : '',
            icon: toIcon(icon),
            hasUserValves: hasUserValves === true,
          },
        ]
      : [],
  )

/** Only inline pictures are used; nothing is fetched for them. */
const toIcon = (icon: unknown): string | null =>
  typeof icon === 'string' && icon.startsWith('data:image/') ? icon : null

const toChatModel = (model: Model): ChatModel => ({
  id: model.id,
  name: model.name,
  connection: model.id === GUIDE_ID ? undefined : model.connection_name,
  description: model.id === GUIDE_ID ? undefined : model.info.meta.description,
  isLocal: model.connection_type === 'local',
  isUnavailable: model.unavailable === true,
  isGuide: model.id === GUIDE_ID,
  toolIds: toIds(model.info.meta['toolIds']),
  defaultFilterIds: toIds(model.info.meta['defaultFilterIds']),
  defaultFeatureIds: toIds(model.info.meta['defaultFeatureIds']),
  runsCode: toFields(model.info.meta['capabilities'])['code_interpreter'] !== false,
  searchesWeb: toFields(model.info.meta['capabilities'])['web_search'] !== false,
  makesPictures: toFields(model.info.meta['capabilities'])['image_generation'] !== false,
  filters: toFeatures(model.filters),
  actions: toFeatures(model.actions),
})

/** Maximum number of models offered for another answer; the picker lists more. */
const MOST_AGAIN = 30

/** Returns the models in the form the conversation needs. */
export function useChatModels(mayCompare: boolean): {
  model: ChatModel | null
  others: readonly ChatModel[]
  /** Models that another answer can be requested from. */
  again: readonly ChatModel[]
} {
  const model = useStore(modelsStore, selectModelInUse)
  const models = useStore(modelsStore, (state) => state.models)
  const others = useStore(modelsStore, selectOthers)
  const again = useMemo(
    () =>
      models
        .map(toChatModel)
        .filter(({ isGuide, isUnavailable }) => !isGuide && !isUnavailable)
        .slice(0, MOST_AGAIN),
    [models],
  )
  return useMemo(() => {
    const ids =
      mayCompare && others !== '' ? others.split('\n').filter((id) => id !== model?.id) : []
    return {
      model: model && toChatModel(model),
      others: ids.map((id) => toChatModel(models.find((each) => each.id === id)!)),
      again,
    }
  }, [model, models, others, again, mayCompare])
}

/** Administrators see the switch before it works, with a link to its setup. */
function useWebSearchRights(): WebSearchRights {
  const permitted = useStore(sessionStore, isPermitted('features.web_search'))
  const admin = useStore(sessionStore, isAdmin)
  const isOn = useStore(
    sessionStore,
    (state) => state.config?.features['enable_web_search'] === true,
  )
  const hasEngine = useStore(
    sessionStore,
    (state) => state.config?.features['has_web_search_engine'] === true,
  )
  return useMemo(
    () => ({
      isOffered: permitted && (isOn || admin),
      isReady: isOn && hasEngine,
      mayConfigure: admin,
    }),
    [permitted, admin, isOn, hasEngine],
  )
}

/** Administrators see the switch before it works, with a link to its setup. */
function usePictureRights(): ChatPictureRights {
  const mayMake = useStore(sessionStore, mayMakePictures)
  const mayEdit = useStore(sessionStore, mayEditPictures)
  const admin = useStore(sessionStore, isAdmin)
  return useMemo(
    () => ({ isOffered: mayMake || admin, mayMake, mayEdit, mayConfigure: admin }),
    [mayMake, mayEdit, admin],
  )
}

/**
 * The same for the interpreter; running code in the browser only needs an administrator's
 * permission.
 */
function useCodeRights(): CodeRights {
  const permitted = useStore(sessionStore, isPermitted('features.code_interpreter'))
  const admin = useStore(sessionStore, isAdmin)
  const mayRun = useStore(
    sessionStore,
    (state) => state.config?.features['enable_code_execution'] === true,
  )
  const isOn = useStore(
    sessionStore,
    (state) => state.config?.features['enable_code_interpreter'] === true,
  )
  return useMemo(
    () => ({ mayRun, isOffered: permitted && (isOn || admin), isReady: isOn, mayConfigure: admin }),
    [mayRun, permitted, admin, isOn],
  )
}

/**
 * Returns the rights of the signed-in user in chats. Being restricted to temporary chats is a
 * limitation, so it does not apply to administrators.
 */
export function useChatRights(): ChatRights {
  const controls = useStore(sessionStore, isPermitted('chat.controls'))
  const system = useStore(sessionStore, isPermitted('chat.system_prompt'))
  const params = useStore(sessionStore, isPermitted('chat.params'))
  const temporary = useStore(sessionStore, isPermitted('chat.temporary'))
  const isTemporaryEnforced = useStore(sessionStore, isBoundToTemporaryChats)
  const hasMemories = useStore(sessionStore, mayUseMemories)
  const usesMemories = useStore(preferencesStore, (state) => state.usesMemories)
  const memories = hasMemories && usesMemories
  const upload = useStore(sessionStore, isPermitted('chat.file_upload'))
  const page = useStore(sessionStore, isPermitted('chat.web_upload'))
  const notes = useStore(sessionStore, mayUseNotes)
  const knowledge = !useStore(sessionStore, isGuest)
  const webSearch = useWebSearchRights()
  const pictures = usePictureRights()
  const code = useCodeRights()
  const voice = useStore(sessionStore, useShallow(voiceRightsOf))
  const rating = useStore(sessionStore, mayRate)
  const continuing = useStore(sessionStore, isPermitted('chat.continue_response'))
  return useMemo(
    () => ({
      system: controls && system,
      params: controls && params,
      temporary,
      memories,
      isTemporaryEnforced,
      rating,
      continuing,
      attach: { upload, page, notes, knowledge },
      webSearch,
      pictures,
      code,
      voice,
    }),
    [
      controls,
      system,
      params,
      temporary,
      memories,
      isTemporaryEnforced,
      rating,
      continuing,
      upload,
      page,
      knowledge,
      notes,
      webSearch,
      pictures,
      code,
      voice,
    ],
  )
}

const isBoundToTemporaryChats = (state: SessionState): boolean =>
  !isAdmin(state) &&
  (state.user?.permissions['chat'] as Record<string, unknown> | undefined)?.[
    'temporary_enforced'
  ] === true

/**
 * Applies the models and chat kind requested by the URL, and passes its text to the conversation.
 */
function useBeginning(asked: ChatBeginning | null): void {
  const loaded = useStore(preferencesStore, (state) => state.loaded)
  useEffect(() => {
    if (!asked || !loaded) return
    if (asked.modelIds.length > 0) showModels(modelsStore, asked.modelIds)
    const isSent = asked.isSent && preferencesStore.getState().sendsLinks
    if (asked.isSent && !isSent) toast({ text: translate('chat.linkedQuestion') })
    chatViewStore.setState({
      beginning: { ...asked, isSent },
      ...(asked.isTemporary && { isTemporary: true }),
    })
    navigate(chatPath(null), { replace: true })
  }, [asked, loaded])
}

function useDocumentTitle(chatId: string | null): void {
  const { t } = useTranslation()
  const title = useStore(chatsStore, (state) => selectChat(chatId)(state)?.title)
  const name = t('common.productName')
  useEffect(() => {
    document.title = title ? `${title} · ${name}` : name
  }, [title, name])
}

/** Suggestions stored with a model have no title. */
function toSuggestions(stored: unknown): readonly Suggestion[] {
  const rows = (Array.isArray(stored) ? stored : []) as Partial<Suggestion>[]
  return rows.flatMap(({ title, content }) =>
    content ? [{ title: title ?? [content], content }] : [],
  )
}

/** Suggestions of the chosen model, otherwise those of the gateway. */
function useSuggestions(): readonly Suggestion[] | undefined {
  const ofGateway = useStore(sessionStore, (state) => state.config?.default_prompt_suggestions)
  const ofModel = useStore(
    modelsStore,
    (state) => selectModelInUse(state)?.info.meta['suggestion_prompts'],
  )
  return useMemo(() => {
    const own = toSuggestions(ofModel)
    return own.length > 0 ? own : ofGateway
  }, [ofModel, ofGateway])
}

interface ChatPageProps {
  readonly chatId: string | null
  readonly messageId: string | null
  /** Parameters of a new chat from the URL. */
  readonly asked?: ChatBeginning | null
}

/** One conversation with its header, or the page for a new one. */
export function ChatPage({ chatId, messageId, asked = null }: ChatPageProps) {
  const rights = useChatRights()
  const mayCompare = useStore(sessionStore, isPermitted('chat.multiple_models'))
  const mayCreate = useStore(sessionStore, isPermitted('workspace.models'))
  const { model, others, again } = useChatModels(mayCompare)
  const admin = useStore(sessionStore, isAdmin)
  const userName = useStore(sessionStore, (state) => state.user?.name) ?? ''
  const prices = useStore(pricesStore, (state) => state.prices)
  const suggestions = useSuggestions()
  const sought = useStore(chatsStore, (state) => soughtWords(state.search.text))
  const [plugin, setPlugin] = useState<SetUpPlugin | null>(null)
  useDocumentTitle(chatId)
  useEffect(() => {
    if (chatId === null) showPreferredModel(modelsStore)
    else chatViewStore.setState({ isTemporary: false, folderId: null })
  }, [chatId])
  useBeginning(asked)
  return (
    <>
      <ChatHeader chatId={chatId} tools={<ChatToolbar isNew={chatId === null} rights={rights} />} />
      <div className="min-h-0 flex-1">
        <ErrorBoundary resetKey={chatId ?? ''}>
          <ChatScreen
            chatId={chatId}
            messageId={messageId}
            model={model}
            others={others}
            models={again}
            modelPicker={
              <ModelPicker
                store={modelsStore}
                onConnect={admin ? openConnections : undefined}
                onCreate={mayCreate ? openNewModel : undefined}
                priceOf={(id) => prices && findPrice(prices, id)}
                marks={modelMarks}
              />
            }
            compare={(isRow) => mayCompare && <FurtherModels store={modelsStore} isRow={isRow} />}
            onDropOther={dropModel}
            sought={sought}
            connect={admin && <ConnectButton />}
            payment={admin ? showPayment : undefined}
            repair={admin ? showRepair : undefined}
            userName={userName}
            rights={rights}
            suggestions={suggestions}
            composerMenu={ComposerMenu}
            aboveComposer={<ApprovalCard dialogs={dialogs} chatId={chatId} />}
            onModelsSeen={seeModels}
            onSetUp={setPlugin}
            codeCells={codeCells}
          />
        </ErrorBoundary>
      </div>
      {plugin && (
        <Suspense>
          <OwnPluginSettings plugin={plugin} onClose={() => setPlugin(null)} />
        </Suspense>
      )}
    </>
  )
}
