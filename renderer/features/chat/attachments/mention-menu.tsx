import { type RefObject, useEffect, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isAborted } from '../../../api/api-error.ts'
import { replaceTypedWord } from '../../../ui/typed-word/find-typed-word.ts'
import { TypedList } from '../../../ui/typed-word/typed-list.tsx'
import { placeCaret, useTypedRows, useTypedWord } from '../../../ui/typed-word/use-typed-word.ts'
import { AttachmentIcon } from '../../../ui/attachments/attachment-icon.tsx'
import type { Attachments } from '../../../ui/attachments/attachments-store.ts'
import { type Attachable, type AttachableKind, findAttachable } from './find-attachable.ts'

const WAIT = 120
const MOST_OF_A_KIND = 8

/**
 * Resolves with the mentionable items; a kind that cannot be queried, such as disabled notes, is
 * left out.
 */
async function findAll(
  kinds: readonly AttachableKind[],
  word: string,
  signal: AbortSignal,
): Promise<readonly Attachable[]> {
  const found = await Promise.all(
    kinds.map(async (kind) => {
      try {
        return (await findAttachable(kind, word, signal)).slice(0, MOST_OF_A_KIND)
      } catch (thrown) {
        if (isAborted(thrown)) throw thrown
        return []
      }
    }),
  )
  return found.flat()
}

function useMentionable(
  kinds: readonly AttachableKind[],
  word: string | null,
): readonly Attachable[] {
  const [found, setFound] = useState<{ word: string; list: readonly Attachable[] } | null>(null)
  useEffect(() => {
    if (word === null) return
    const abort = new AbortController()
    const find = (): void =>
      void findAll(kinds, word, abort.signal).then(
        (list) => setFound({ word, list }),
        () => undefined,
      )
    const timer = setTimeout(find, WAIT)
    return () => {
      clearTimeout(timer)
      abort.abort()
    }
  }, [kinds, word])
  // The previous list remains until the next one arrives, to avoid flicker.
  return word === null ? [] : (found?.list ?? [])
}

const WITH_NOTES: readonly AttachableKind[] = ['collection', 'file', 'note']
const WITHOUT_NOTES: readonly AttachableKind[] = ['collection', 'file']

interface MentionMenuProps {
  readonly attachments: Attachments
  readonly hasNotes: boolean
  readonly box: RefObject<HTMLTextAreaElement | null>
  readonly text: string
  readonly onChange: (text: string) => void
}

/**
 * Menu of knowledge, files and notes opened by a number sign: typing filters, Enter attaches an
 * item, Escape keeps the sign as text.
 */
export function MentionMenu({ attachments, hasNotes, box, text, onChange }: MentionMenuProps) {
  const { t } = useTranslation()
  const listId = useId()
  const { found: typed, dismiss } = useTypedWord(box, text, '#')
  const word = typed?.word ?? null
  const list = useMentionable(hasNotes ? WITH_NOTES : WITHOUT_NOTES, word)
  const choose = (row: number): void => {
    const chosen = list[row]
    if (!chosen || !typed) return
    attachments.add({ ...chosen.entry, name: chosen.entry.name || t('chat.attachments.untitled') })
    const next = replaceTypedWord(box.current?.value ?? text, typed, '')
    onChange(next.text)
    placeCaret(box, next.caret)
  }
  const { isOpen, index, goTo } = useTypedRows(box, {
    listId,
    word,
    count: list.length,
    onChoose: choose,
    onDismiss: () => typed && dismiss(typed.start),
  })
  if (!isOpen) return null
  return (
    <TypedList
      id={listId}
      label={t('chat.attachments.mention')}
      hint={t('chat.attachments.mentionHint')}
      entries={list.map(({ entry, detail }) => ({
        key: `${entry.type} ${entry.id}`,
        icon: <AttachmentIcon type={entry.type} />,
        label: entry.name || t('chat.attachments.untitled'),
        detail: detail || t(`chat.attachments.kind.${entry.type}`),
      }))}
      activeIndex={index}
      onHover={goTo}
      onChoose={choose}
    />
  )
}
