import type { ReactNode } from 'react'
import { vi } from 'vitest'
import { NO_VOICE } from '../../ui/voice/voice-rights.ts'
import { TooltipProvider } from '../../ui/floating/tooltip.tsx'
import { ChatContext, type ChatView } from './chat-context.ts'
import type { OpenChat } from './chat-registry.ts'
import { createChatStore, type ChatMessage } from './chat-store.ts'
import { MessageQueue } from './composer/message-queue.ts'
import { createFakeApi, createFakeDeps, model } from './testing-chat.ts'

const RIGHTS = { mayConnect: false, mayRate: false, mayContinue: false } as const

/** Creates the context of a conversation whose actions are recorded and do nothing. */
export function createFakeView(
  messages: readonly ChatMessage[],
  parts: Partial<ChatView> = {},
): ChatView {
  const store = createChatStore('chat')
  store.setState({
    phase: 'ready',
    order: messages.map(({ id }) => id),
    messages: Object.fromEntries(messages.map((message) => [message.id, message])),
  })
  const chat: OpenChat = {
    key: 'chat',
    store,
    feed: { push: () => undefined },
    queue: new MessageQueue(store, createFakeDeps(createFakeApi())),
    place: null,
    firstReading: null,
  }
  const act = vi.fn()
  return {
    ...RIGHTS,
    chat,
    model,
    models: [],
    payment: null,
    repair: null,
    pictures: { mayMake: false, mayEdit: false },
    voice: NO_VOICE,
    regenerate: act,
    regenerateWith: act,
    retry: act,
    goOn: act,
    retryShorter: act,
    editAnswer: act,
    edit: act,
    switchTo: act,
    goTo: () => Promise.resolve(),
    keep: act,
    merge: act,
    stopAnswer: act,
    ask: act,
    propose: act,
    quote: act,
    askToDelete: act,
    codeCells: null,
    ...parts,
  }
}

/** Shows components that only work inside a conversation. */
export const InView = ({ view, children }: { view: ChatView; children: ReactNode }) => (
  <TooltipProvider>
    <ChatContext value={view}>{children}</ChatContext>
  </TooltipProvider>
)
