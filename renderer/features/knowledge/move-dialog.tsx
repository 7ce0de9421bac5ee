import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import type { KnowledgeDirectory, KnowledgeFile } from '#contract/knowledge.ts'
import { useAction } from '../../api/use-action.ts'
import { Button } from '../../ui/controls/button.tsx'
import { Dialog } from '../../ui/dialogs/dialog.tsx'
import { FormProblem } from '../../ui/dialogs/form-problem.tsx'
import { Radio } from '../../ui/controls/radio.tsx'
import {
  type CollectionStore,
  directoriesOf,
  moveFile,
  updateDirectory,
} from './collection-store.ts'
import { toTree } from './directory-tree.ts'

interface MoveDialogProps {
  readonly store: CollectionStore
  readonly file?: KnowledgeFile
  readonly directory?: KnowledgeDirectory
  readonly onClose: () => void
}

const STEP = 1.25

/** Asks for the target directory of a file or directory. */
export function MoveDialog({ store, file, directory, onClose }: MoveDialogProps) {
  const { t } = useTranslation()
  const directories = useStore(store, directoriesOf)
  const [target, setTarget] = useState<string | null>(
    file ? file.directory_id : (directory?.parent_id ?? null),
  )
  const moving = useAction(async () => {
    if (file) await moveFile(store, file.id, target)
    else if (directory) await updateDirectory(store, directory.id, { parent_id: target })
  }, onClose)
  const places = [
    { id: null, name: t('knowledge.top'), depth: 0 },
    ...toTree(directories, directory?.id).map((branch) => ({
      id: branch.directory.id,
      name: branch.directory.name,
      depth: branch.depth + 1,
    })),
  ]
  return (
    <Dialog
      onClose={onClose}
      title={t('knowledge.moveTitle', { name: file?.filename ?? directory?.name ?? '' })}
      actions={
        <>
          <Button onClick={onClose}>{t('common.cancel')}</Button>
          <Button
            tone="primary"
            busy={moving.busy}
            onClick={() => void moving.run()}
            className="h-control"
          >
            {t('knowledge.moveHere')}
          </Button>
        </>
      }
    >
      <FormProblem text={moving.problem} />
      <fieldset className="max-h-80 overflow-y-auto">
        <legend className="sr-only">{t('knowledge.directory')}</legend>
        {places.map(({ id, name, depth }) => (
          <label
            key={id ?? ''}
            style={{ paddingInlineStart: `${depth * STEP + 0.5}rem` }}
            className="flex min-h-9 items-center gap-2.5 rounded-small pe-2 hover:bg-hover has-checked:bg-pressed pointer-coarse:min-h-11"
          >
            <Radio name="directory" checked={target === id} onChange={() => setTarget(id)} />
            <bdi className="min-w-0 truncate">{name}</bdi>
          </label>
        ))}
      </fieldset>
    </Dialog>
  )
}
