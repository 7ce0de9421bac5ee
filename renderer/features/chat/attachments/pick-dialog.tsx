import { BookOpenText, NotebookPen } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isAborted, toSentence } from '../../../api/api-error.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { Dialog } from '../../../ui/dialogs/dialog.tsx'
import { EmptyState } from '../../../ui/layout/empty-state.tsx'
import { SearchBox } from '../../../ui/fields/search-box.tsx'
import { Spinner } from '../../../ui/marks/spinner.tsx'
import type { AttachedEntry } from '../../../ui/attachments/attached-entry.ts'
import { type Attachable, findAttachable } from './find-attachable.ts'

export type PickKind = 'collection' | 'note'

const WAIT = 180

type Found = { readonly choices: readonly Attachable[] } | { readonly problem: string } | null

function useChoices(kind: PickKind, query: string): Found {
  const [found, setFound] = useState<Found>(null)
  useEffect(() => {
    const abort = new AbortController()
    const find = async (): Promise<void> => {
      try {
        setFound({ choices: await findAttachable(kind, query, abort.signal) })
      } catch (thrown) {
        if (!isAborted(thrown)) setFound({ problem: toSentence(thrown) })
      }
    }
    const timer = setTimeout(() => void find(), query ? WAIT : 0)
    return () => {
      clearTimeout(timer)
      abort.abort()
    }
  }, [kind, query])
  return found
}

interface PickDialogProps {
  readonly kind: PickKind
  readonly onAdd: (entry: AttachedEntry) => void
  readonly onClose: () => void
}

/** Dialog for finding a collection or a note to attach. */
export function PickDialog({ kind, onAdd, onClose }: PickDialogProps) {
  const { t } = useTranslation()
  const [query, setQuery] = useState('')
  const found = useChoices(kind, query)
  const Icon = kind === 'note' ? NotebookPen : BookOpenText
  const choose = ({ entry }: Attachable): void => {
    onAdd({ ...entry, name: entry.name || t('chat.attachments.untitled') })
    onClose()
  }
  return (
    <Dialog
      onClose={onClose}
      title={t(kind === 'note' ? 'chat.attachments.noteTitle' : 'chat.attachments.knowledgeTitle')}
      actions={<Button onClick={onClose}>{t('common.cancel')}</Button>}
    >
      <div className="flex min-h-64 flex-col gap-3">
        <SearchBox label={t('chat.attachments.find')} value={query} onChange={setQuery} />
        {found === null && <Spinner className="mx-auto my-8" />}
        {found && 'problem' in found && (
          <EmptyState title={t('chat.attachments.findFailed')}>{found.problem}</EmptyState>
        )}
        {found && 'choices' in found && found.choices.length === 0 && (
          <EmptyState
            icon={<Icon />}
            title={t(query ? 'chat.attachments.noMatch' : `chat.attachments.none.${kind}`)}
          />
        )}
        {found && 'choices' in found && (
          <ul className="flex flex-col gap-0.5">
            {found.choices.map((choice) => (
              <li key={choice.entry.id}>
                <button
                  type="button"
                  onClick={() => choose(choice)}
                  className="flex w-full items-start gap-2.5 rounded-medium px-2.5 py-2 text-start hover:bg-hover pointer-coarse:min-h-11"
                >
                  <Icon aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-muted" />
                  <span className="min-w-0">
                    <bdi className="block truncate font-medium">
                      {choice.entry.name || t('chat.attachments.untitled')}
                    </bdi>
                    {choice.detail && (
                      <bdi className="block truncate text-small text-muted">{choice.detail}</bdi>
                    )}
                  </span>
                </button>
              </li>
            ))}
          </ul>
        )}
      </div>
    </Dialog>
  )
}
