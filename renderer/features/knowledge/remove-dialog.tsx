import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { KnowledgeRecord } from '#contract/knowledge.ts'
import { call, endpoints } from '../../api/client.ts'
import type { EndpointOutput } from '#contract/endpoint.ts'
import { toSentence } from '../../api/api-error.ts'
import { useAction } from '../../api/use-action.ts'
import { Button } from '../../ui/controls/button.tsx'
import { Dialog } from '../../ui/dialogs/dialog.tsx'
import { FormProblem } from '../../ui/dialogs/form-problem.tsx'
import { Spinner } from '../../ui/marks/spinner.tsx'
import { Switch } from '../../ui/controls/switch.tsx'
import { formatNames } from '../../lib/format-list.ts'

type Uses = EndpointOutput<typeof endpoints.knowledge.uses>

interface RemoveDialogProps {
  readonly collection: Pick<KnowledgeRecord, 'id' | 'name' | 'file_count'>
  readonly onRemove: (deletesFiles: boolean) => Promise<void>
  readonly onClose: () => void
}

function UsesText({ uses }: { uses: Uses }) {
  const { t } = useTranslation()
  const { models, folders } = uses
  if (models.length === 0 && folders === 0) return <p>{t('knowledge.removeUnused')}</p>
  return (
    <div className="rounded-medium bg-warning-soft px-3 py-2">
      {models.length > 0 && (
        <p>{t('knowledge.removeModels', { names: formatNames(models.map(({ name }) => name)) })}</p>
      )}
      {folders > 0 && <p>{t('knowledge.removeFolders', { count: folders })}</p>}
    </div>
  )
}

/** Asks for confirmation before deleting a collection, and shows where it is used. */
export function RemoveDialog({ collection, onRemove, onClose }: RemoveDialogProps) {
  const { t } = useTranslation()
  const { id, name, file_count: count } = collection
  const [uses, setUses] = useState<Uses | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const [deletesFiles, setDeletesFiles] = useState(false)
  const removing = useAction(() => onRemove(deletesFiles), onClose)
  useEffect(() => {
    call(endpoints.knowledge.uses, { params: { knowledge_id: id } }).then(
      setUses,
      (thrown: unknown) => setProblem(toSentence(thrown)),
    )
  }, [id])
  return (
    <Dialog
      onClose={onClose}
      title={t('knowledge.removeTitle', { name })}
      description={t('knowledge.removeText')}
      actions={
        <>
          {/* oxlint-disable-next-line jsx-a11y/no-autofocus -- a dialog that just opened; the safe answer comes first */}
          <Button autoFocus onClick={onClose}>
            {t('common.cancel')}
          </Button>
          <Button
            tone="danger"
            busy={removing.busy}
            onClick={() => void removing.run()}
            className="h-control"
          >
            {t('common.delete')}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <FormProblem text={removing.problem ?? problem} />
        {uses ? <UsesText uses={uses} /> : problem === null && <Spinner className="mx-auto" />}
        {count > 0 && (
          <Switch
            label={t('knowledge.removeFiles')}
            hint={t('knowledge.removeFilesHint')}
            checked={deletesFiles}
            onChange={setDeletesFiles}
          />
        )}
      </div>
    </Dialog>
  )
}
