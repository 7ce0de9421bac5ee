import { type RefObject, useEffect, useMemo } from 'react'
import { copyText } from '../../lib/clipboard.ts'
import { registerCommands } from '../../lib/commands.ts'
import { translate } from '../../lib/i18n.ts'
import { toast, toastError } from '../../ui/floating/toast.tsx'
import type { PictureRights } from '../../ui/pictures/shown-pictures.ts'
import { chatPath, currentRoute, navigate } from '../../lib/router.ts'
import { keepAnswer, stopAnswer, stopOne, switchBranch } from './branches/change-branch.ts'
import type { ChatView } from './chat-context.ts'
import { chatDeps, isLastOpened, type OpenChat } from './chat-registry.ts'
import type { ComposerActions } from './composer/composer-relay.ts'
import {
  type ChatModel,
  isTemporaryId,
  selectIsAnswering,
  selectLastMessage,
} from './chat-store.ts'
import { chatViewStore, togglePanel } from './chat-view-store.ts'
import { emptyDraft, keepDraft, readDraft, toMessageText } from './composer/draft.ts'
import { continueAnswer, isCutShort, modelToContinue } from './sending/continue-answer.ts'
import { editAnswer } from './messages/edit-answer.ts'
import { mergeAnswers } from './branches/merge-answers.ts'
import { editMessage, regenerateAnswer, retryAnswer, retryShorter } from './sending/send-message.ts'

/**
 * Deletes the draft once its message is stored, unless a newer one is being written. Replaces the
 * URL of a new chat with the chat's own, if its page is still shown.
 */
export const acknowledge =
  (chat: OpenChat, draftOf: string | null) =>
  (chatId: string, question: string): void => {
    if (toMessageText(readDraft(draftOf)) === question) keepDraft(draftOf, emptyDraft)
    const route = currentRoute()
    const isShown = isLastOpened(chat) && route.name === 'chat' && route.chatId === null
    if (isShown && !isTemporaryId(chatId)) navigate(chatPath(chatId), { replace: true })
  }

interface ViewParts {
  readonly model: ChatModel | null
  readonly others: readonly ChatModel[]
  readonly models: readonly ChatModel[]
  readonly mayConnect: boolean
  readonly payment: ChatView['payment']
  readonly repair: ChatView['repair']
  readonly mayRate: boolean
  readonly mayContinue: boolean
  readonly pictures: PictureRights
  readonly voice: ChatView['voice']
  readonly askToDelete: (messageId: string) => void
  readonly codeCells: ChatView['codeCells']
  readonly acknowledged: (chatId: string, question: string) => void
  readonly ask: (text: string) => void
  readonly propose: (text: string) => void
  readonly quote: (text: string) => void
}

/** Returns the actions on the conversation, always with the currently chosen models. */
export function toChatView(
  chat: OpenChat,
  { model, others, acknowledged, ...rest }: ViewParts,
): ChatView {
  const { store } = chat
  const withModel =
    <Rest extends readonly unknown[]>(
      act: (model: ChatModel, id: string, ...rest: Rest) => Promise<void>,
    ) =>
    (id: string, ...rest: Rest): void => {
      if (model && !selectIsAnswering(store.getState())) act(model, id, ...rest).catch(toastError)
    }
  return {
    ...rest,
    chat,
    model,
    regenerate: withModel((chosen, answerId) =>
      regenerateAnswer(store, chatDeps, { answerId, model: chosen }),
    ),
    regenerateWith(answerId, other) {
      if (selectIsAnswering(store.getState())) return
      regenerateAnswer(store, chatDeps, { answerId, model: other }).catch(toastError)
    },
    retry: withModel((chosen, answerId) =>
      retryAnswer(store, chatDeps, { answerId, model: chosen, acknowledged }),
    ),
    goOn(answerId) {
      const state = store.getState()
      const answer = state.messages[answerId]
      const chosen = answer && modelToContinue(answer, rest.models, model)
      if (chosen && !selectIsAnswering(state))
        continueAnswer(store, chatDeps, { answerId, model: chosen }).catch(toastError)
    },
    retryShorter: withModel((chosen, answerId) =>
      retryShorter(store, chatDeps, { answerId, model: chosen }),
    ),
    edit: withModel((chosen, messageId, text: string, files: readonly unknown[]) =>
      editMessage(store, chatDeps, { messageId, text, files, model: chosen, others }),
    ),
    editAnswer: (answerId, text) =>
      void editAnswer(store, chatDeps, answerId, text).catch(toastError),
    merge: withModel((chosen, answerId) =>
      mergeAnswers(store, chatDeps, { answerId, model: chosen }),
    ),
    keep: (answerId) => void keepAnswer(store, chatDeps, answerId).catch(toastError),
    stopAnswer: (answerId) => void stopOne(store, chatDeps, answerId).catch(toastError),
    goTo: async (messageId) => {
      if (!store.getState().order.includes(messageId))
        await switchBranch(store, chatDeps, messageId).catch(toastError)
    },
    switchTo: (siblingId) => void switchBranch(store, chatDeps, siblingId).catch(toastError),
  }
}

/** Returns the same for a displayed conversation, recomputed when a dependency changes. */
export function useConversationView(
  chat: OpenChat,
  parts: Omit<ViewParts, 'ask' | 'propose' | 'quote'> & {
    relay: ComposerActions
  },
): ChatView {
  const { model, others, models, mayConnect, payment, repair, mayRate, mayContinue } = parts
  const { pictures, voice, askToDelete, codeCells, acknowledged, relay } = parts
  return useMemo(
    () =>
      toChatView(chat, {
        model,
        others,
        models,
        mayConnect,
        payment,
        repair,
        mayRate,
        mayContinue,
        pictures,
        voice,
        askToDelete,
        codeCells,
        acknowledged,
        ask: relay.send,
        propose: relay.propose,
        quote: relay.quote,
      }),
    [
      chat,
      model,
      others,
      models,
      mayConnect,
      payment,
      repair,
      mayRate,
      mayContinue,
      pictures,
      voice,
      askToDelete,
      codeCells,
      acknowledged,
      relay,
    ],
  )
}

/** Registers the commands that act on the displayed conversation. */
export function useChatCommands({
  view,
  box,
}: {
  view: ChatView
  box: RefObject<HTMLTextAreaElement | null>
}): void {
  useEffect(() => {
    const { store } = view.chat
    const lastAnswer = () => {
      const last = selectLastMessage(store.getState())
      return last?.role === 'assistant' ? last : undefined
    }
    return registerCommands({
      'composer.focus': () => box.current?.focus(),
      'chat.find': () => chatViewStore.setState({ isFinding: true }),
      'chat.controls': () => togglePanel(chatViewStore, 'controls'),
      'chat.map': () => togglePanel(chatViewStore, 'map'),
      'chat.usage': () => chatViewStore.setState({ isUsageOpen: true }),
      'answer.stop': () => void stopAnswer(store, chatDeps).catch(toastError),
      'answer.continue': () => {
        const last = lastAnswer()
        if (view.mayContinue && isCutShort(last)) view.goOn(last!.id)
        else toast({ text: translate('chat.continue.isWhole') })
      },
      'answer.regenerate': () => {
        const last = lastAnswer()
        if (last) view.regenerate(last.id)
      },
      'answer.copy': () => {
        const last = lastAnswer()
        if (last) void copyText(last.content).catch(toastError)
      },
    })
  }, [view, box])
}
