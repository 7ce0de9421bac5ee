import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Chat } from '#contract/chats.ts'
import type { SnapshotLine } from '#contract/time-machine.ts'
import { toSentence } from '../../api/api-error.ts'
import { call, endpoints } from '../../api/client.ts'
import { formatMoment } from '../../lib/format-time.ts'
import { useReadOnlyArtifacts } from '../../ui/artifacts/read-only-artifacts.tsx'
import { Dialog } from '../../ui/dialogs/dialog.tsx'
import { FormProblem } from '../../ui/dialogs/form-problem.tsx'
import { Markdown } from '../../ui/markdown/markdown.tsx'
import { PageWait } from '../../ui/layout/page-wait.tsx'
import { Transcript } from '../../ui/transcript/transcript.tsx'
import { readTranscript } from '../../ui/transcript/read-transcript.ts'

interface OldChatDialogProps {
  readonly snapshot: SnapshotLine
  readonly chatId: string
  readonly onClose: () => void
}

/** Read-only view of a chat in a snapshot. */
export function OldChatDialog({ snapshot, chatId, onClose }: OldChatDialogProps) {
  const { t } = useTranslation()
  const [chat, setChat] = useState<Chat | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  useEffect(() => {
    const params = { snapshot_id: snapshot.id, chat_id: chatId }
    call(endpoints.timeMachine.chat, { params }).then(setChat, (thrown: unknown) =>
      setProblem(toSentence(thrown)),
    )
  }, [snapshot.id, chatId])
  const artifacts = useReadOnlyArtifacts(chat)
  const note = t('timeMachine.asOf', { moment: formatMoment(snapshot.created_at) })
  return (
    <Dialog
      // An artifact covers the chat it belongs to, so closing it returns to the chat.
      onClose={artifacts.panel === null ? onClose : artifacts.close}
      size="page"
      title={chat?.title || t('chats.untitled')}
      description={note}
    >
      <FormProblem text={problem} />
      {chat === null && problem === null && <PageWait shape="lines" />}
      {chat !== null && (
        <Transcript
          title={chat.title}
          messages={readTranscript(chat)}
          person={t('timeMachine.you')}
          draw={(text, id) => artifacts.around(id, text, <Markdown text={text} />)}
        />
      )}
      {artifacts.panel && (
        <div className="absolute inset-0 z-30 flex bg-(--page) [&>dialog]:w-full">
          {artifacts.panel}
        </div>
      )}
    </Dialog>
  )
}
