import '../../lib/strings/import.ts'
import { Archive, Download, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { endpoints } from '../../api/client.ts'
import { downloadReply } from '../../api/download-reply.ts'
import { useAction } from '../../api/use-action.ts'
import { Button } from '../../ui/controls/button.tsx'
import { Dialog } from '../../ui/dialogs/dialog.tsx'
import { FormProblem } from '../../ui/dialogs/form-problem.tsx'
import { PageSection } from '../../ui/layout/page-section.tsx'
import { TextField } from '../../ui/fields/text-field.tsx'
import { ImportAssistant } from './import-assistant.tsx'
import type { ImportStore } from './import-store.ts'

interface DataPageProps {
  readonly store: ImportStore
  readonly canExport: boolean
  readonly canDelete: boolean
  readonly canSearch: boolean
  readonly canAddPrompts: boolean
  readonly onImported: () => void
  readonly onArchiveAll: () => void
  readonly onDeleteAll: () => void
}

/** Prevents accidental deletion of everything: a word has to be typed. */
function DeleteAllDialog({ onConfirm, onClose }: { onConfirm: () => void; onClose: () => void }) {
  const { t } = useTranslation()
  const [text, setText] = useState('')
  const word = t('import.deleteWord')
  const isSure = text.trim().toLowerCase() === word.toLowerCase()
  return (
    <Dialog
      onClose={onClose}
      title={t('import.deleteTitle')}
      description={t('import.deleteText')}
      actions={
        <>
          <Button onClick={onClose}>{t('common.cancel')}</Button>
          <Button tone="danger" type="submit" form="delete-all" disabled={!isSure}>
            {t('import.deleteAll')}
          </Button>
        </>
      }
    >
      <form
        id="delete-all"
        onSubmit={(event) => {
          event.preventDefault()
          if (!isSure) return
          onClose()
          onConfirm()
        }}
      >
        <TextField
          label={t('import.typeWord', { word })}
          autoComplete="off"
          spellCheck={false}
          value={text}
          onChange={setText}
        />
      </form>
    </Dialog>
  )
}

/** Exports all of the user's chats as one file. */
function ExportSection() {
  const { t } = useTranslation()
  const { busy, problem, run } = useAction(() => downloadReply(endpoints.imports.archive, {}))
  return (
    <PageSection title={t('import.exportTitle')} text={t('import.exportText')}>
      <FormProblem text={problem} />
      <Button icon={<Download className="size-4" />} busy={busy} onClick={() => void run()}>
        {t('import.exportAll')}
      </Button>
    </PageSection>
  )
}

/** Import, export and actions on all chats. */
export function DataPage({
  store,
  canExport,
  canDelete,
  canSearch,
  canAddPrompts,
  onImported,
  onArchiveAll,
  onDeleteAll,
}: DataPageProps) {
  const { t } = useTranslation()
  const [isDeleting, setDeleting] = useState(false)
  return (
    <>
      <PageSection title={t('import.title')} text={t('import.text')}>
        <ImportAssistant
          store={store}
          onImported={onImported}
          canUndo={canDelete}
          canSearch={canSearch}
          canAddPrompts={canAddPrompts}
        />
      </PageSection>
      {canExport && <ExportSection />}
      <PageSection title={t('import.tidyTitle')} text={t('import.tidyText')}>
        <div className="flex flex-wrap gap-2">
          <Button icon={<Archive className="size-4" />} onClick={onArchiveAll}>
            {t('import.archiveAll')}
          </Button>
          {canDelete && (
            <Button
              icon={<Trash2 className="size-4" />}
              onClick={() => setDeleting(true)}
              className="text-danger!"
            >
              {t('import.deleteAll')}
            </Button>
          )}
        </div>
      </PageSection>
      {isDeleting && <DeleteAllDialog onConfirm={onDeleteAll} onClose={() => setDeleting(false)} />}
    </>
  )
}
