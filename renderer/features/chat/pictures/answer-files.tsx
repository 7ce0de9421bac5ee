import { Suspense, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { MessageFiles } from '../../../ui/attachments/message-files.tsx'
import { toShownFile } from '../../../ui/attachments/shown-file.ts'
import type { PictureEntry } from '../../../ui/pictures/shown-pictures.ts'
import { useChat, useChatView } from '../chat-context.ts'
import { type ChatMessage, isGrowing, isTemporaryId } from '../chat-store.ts'
import { readStatuses, type Status } from '../status/read-statuses.ts'
import { PICTURES } from '../tools/chosen-tools.ts'
import { lazyPart } from '../../../lib/lazy-part.ts'

const AnswerPictures = lazyPart(
  () => import('../../../ui/pictures/answer-pictures.tsx'),
  'AnswerPictures',
)
const PictureInMaking = lazyPart(
  () => import('../../../ui/pictures/answer-pictures.tsx'),
  'PictureInMaking',
)

/** Splits files into displayable pictures and everything else. */
function splitFiles(
  files: readonly unknown[],
  untitled: (number: number) => string,
): { pictures: PictureEntry[]; others: unknown[] } {
  const pictures: PictureEntry[] = []
  const others: unknown[] = []
  for (const [index, file] of files.entries()) {
    const { isImage, url, id, name, problem } = toShownFile(file, untitled(index + 1))
    if (isImage && url !== null && problem === null) pictures.push({ id, url, name })
    else others.push(file)
  }
  return { pictures, others }
}

/** Returns the status of the picture generation in progress. */
function findMaking(message: ChatMessage): Status | null {
  if (!isGrowing(message)) return null
  const last = readStatuses(message).findLast(({ action }) => action === PICTURES)
  return last && !last.isDone ? last : null
}

/** Files of an answer: pictures with their actions, everything else by name. */
export function AnswerFiles({ message }: { message: ChatMessage }) {
  const { t } = useTranslation()
  const { pictures: rights } = useChatView()
  const chatId = useChat((state) => state.chatId)
  const { files = [] } = message
  const { pictures, others } = useMemo(
    () => splitFiles(files, (number) => t('chat.files.untitled', { number })),
    [files, t],
  )
  const place = useMemo(
    () => (chatId === null || isTemporaryId(chatId) ? null : { chatId, messageId: message.id }),
    [chatId, message.id],
  )
  const making = findMaking(message)
  return (
    <Suspense>
      {pictures.length > 0 && <AnswerPictures entries={pictures} place={place} rights={rights} />}
      {making && (
        <PictureInMaking
          description={making.description}
          done={making.progress?.done ?? null}
          total={making.progress?.total ?? null}
        />
      )}
      {others.length > 0 && <MessageFiles files={others} />}
    </Suspense>
  )
}
