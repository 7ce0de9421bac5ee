import { useStore } from 'zustand'
import { runCommand } from '../../../lib/commands.ts'
import { useChatView } from '../chat-context.ts'
import type { ChatMessage } from '../chat-store.ts'
import { chatViewStore } from '../chat-view-store.ts'
import { QuestionActions } from './message-actions.tsx'
import { WrittenText } from './message-body.tsx'
import { MessageEdit } from './message-edit.tsx'
import { MessageFiles } from '../../../ui/attachments/message-files.tsx'

/** A user message: a bubble aligned to the end of the line. */
export function UserMessage({ message, isLast }: { message: ChatMessage; isLast: boolean }) {
  const { model, edit } = useChatView()
  const isEditing = useStore(chatViewStore, ({ editingId }) => editingId === message.id)
  const setEditing = (on: boolean): void =>
    chatViewStore.setState({ editingId: on ? message.id : null })
  if (isEditing) {
    return (
      <MessageEdit
        text={message.content}
        files={message.files ?? []}
        canSend={model !== null}
        onCancel={() => {
          setEditing(false)
          runCommand('composer.focus')
        }}
        onSend={(text, files) => {
          setEditing(false)
          edit(message.id, text, files)
        }}
      />
    )
  }
  return (
    <div className="flex flex-col items-end">
      {message.files && message.files.length > 0 && <MessageFiles files={message.files} isOwn />}
      <div
        dir="auto"
        className="max-w-[85%] min-w-0 rounded-large bg-hover px-4 py-2.5 text-message sm:max-w-[80%] forced-colors:border"
      >
        <WrittenText text={message.content} />
      </div>
      <QuestionActions message={message} isLast={isLast} onEdit={() => setEditing(true)} />
    </div>
  )
}
