import { createStore, type StoreApi } from 'zustand/vanilla'
import type { ChatBeginning } from '../../lib/router.ts'
import type { ArtifactPlace } from '../../ui/artifacts/use-artifact.ts'

export type ChatPanel = 'controls' | 'map' | 'sources' | 'trace' | 'artifact'

/** A passage of a source of an answer, by places. */
export interface OpenSource {
  readonly messageId: string
  readonly source: number
  /** Null for the one that says what is claimed. */
  readonly passage: number | null
  /** What the answer says there; empty where it is not known. */
  readonly claim: string
}

/** What stands around the conversation on the screen. */
export interface ChatViewState {
  readonly panel: ChatPanel | null
  /** What the panel of sources shows. */
  readonly source: OpenSource | null
  /** The piece of code of an answer that is shown beside it. */
  readonly artifact: ArtifactPlace | null
  /** The message whose tools and plugins the panel of traces shows. */
  readonly tracedId: string | null
  /** The question that is being changed. */
  readonly editingId: string | null
  readonly isFinding: boolean
  readonly isUsageOpen: boolean
  /** Nothing is stored of the next new chat. */
  readonly isTemporary: boolean
  /** The folder the next new chat is stored in. */
  readonly folderId: string | null
  /** What the address of a new chat asked for and was not done yet. */
  readonly beginning: ChatBeginning | null
}

export type ChatViewStore = StoreApi<ChatViewState>

export const createChatViewStore = (): ChatViewStore =>
  createStore(() => ({
    panel: null,
    source: null,
    artifact: null,
    tracedId: null,
    editingId: null,
    isFinding: false,
    isUsageOpen: false,
    isTemporary: false,
    folderId: null,
    beginning: null,
  }))

/** The one of this window. */
export const chatViewStore = createChatViewStore()

/** Shows a source beside the conversation. */
export const openSource = (store: ChatViewStore, source: OpenSource): void =>
  store.setState({ panel: 'sources', source })

/** Shows a piece of code of an answer beside the conversation. */
export const openArtifact = (store: ChatViewStore, artifact: ArtifactPlace): void =>
  store.setState({ panel: 'artifact', artifact })

/** Shows beside the conversation what tools and plugins did for a message. */
export const openTraces = (store: ChatViewStore, tracedId: string): void =>
  store.setState({ panel: 'trace', tracedId })

/** Opens a panel, or closes it when it is open. */
export const togglePanel = (store: ChatViewStore, panel: ChatPanel): void =>
  store.setState((state) => ({ panel: state.panel === panel ? null : panel }))
