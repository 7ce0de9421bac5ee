import { useStore } from 'zustand'
import { useShallow } from 'zustand/react/shallow'
import type { ChatListItem } from '#contract/chats.ts'
import { ChatRow } from './chat-row.tsx'
import type { ChatsView } from './chats-view.ts'

interface ChatRowsProps {
  readonly chats: readonly ChatListItem[]
  readonly view: ChatsView
  readonly currentId: string | null
}

/** Rows of the list, for use in a `ul`. */
export function ChatRows({ chats, view, currentId }: ChatRowsProps) {
  const { renamingId, selection, showsTags } = useStore(
    view.store,
    useShallow((state) => ({
      renamingId: state.renamingId,
      selection: state.selection,
      showsTags: state.showsTags,
    })),
  )
  return chats.map((chat) => (
    <ChatRow
      key={chat.id}
      chat={chat}
      view={view}
      current={chat.id === currentId}
      renaming={chat.id === renamingId}
      selected={selection && selection.has(chat.id)}
      showsTags={showsTags}
    />
  ))
}
