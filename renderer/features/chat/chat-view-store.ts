import { createStore, type StoreApi } from 'zustand/vanilla'
import type { ChatBeginning } from '../../lib/router.ts'
import type { ArtifactPlace } from '../../ui/artifacts/use-artifact.ts'

export type ChatPanel = 'controls' | 'map' | 'sources' | 'trace' | 'artifact'

/** A passage of an answer's source, by indices. */
export interface OpenSource {
  readonly messageId: string
  readonly source: number
  /** Index of the passage; null for the one that supports the claim. */
  readonly passage: number | null
  /** The statement in the answer; empty if unknown. */
  readonly claim: string
}

/** State of the panels and dialogs around the displayed conversation. */
export interface ChatViewState {
  readonly panel: ChatPanel | null
  /** Source shown in the sources panel. */
  readonly source: OpenSource | null
  /** Code block of an answer shown beside it. */
  readonly artifact: ArtifactPlace | null
  /** Id of the message whose tool and plugin calls the trace panel shows. */
  readonly tracedId: string | null
  /** Id of the question being edited. */
  readonly editingId: string | null
  /** Id of the message whose actions a tap opened, on devices without hover. */
  readonly tappedId: string | null
  readonly isFinding: boolean
  readonly isUsageOpen: boolean
  /** True if the next new chat is not stored. */
  readonly isTemporary: boolean
  /** Id of the folder in which the next new chat is stored. */
  readonly folderId: string | null
  /** Parameters of a new chat's URL that are not applied yet. */
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
    tappedId: null,
    isFinding: false,
    isUsageOpen: false,
    isTemporary: false,
    folderId: null,
    beginning: null,
  }))

/** The store of this window. */
export const chatViewStore = createChatViewStore()

/** Shows a source beside the conversation. */
export const openSource = (store: ChatViewStore, source: OpenSource): void =>
  store.setState({ panel: 'sources', source })

/** Opens a code block of an answer beside the conversation. */
export const openArtifact = (store: ChatViewStore, artifact: ArtifactPlace): void =>
  store.setState({ panel: 'artifact', artifact })

/** Opens the trace of a message's tools and plugins beside the conversation. */
export const openTraces = (store: ChatViewStore, tracedId: string): void =>
  store.setState({ panel: 'trace', tracedId })

/** Opens a panel, or closes it when it is open. */
export const togglePanel = (store: ChatViewStore, panel: ChatPanel): void =>
  store.setState((state) => ({ panel: state.panel === panel ? null : panel }))
