import type { TFunction } from 'i18next'
import { Undo2 } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ImportRun, UndoneImport } from '#contract/imports.ts'
import { call, endpoints } from '../../api/client.ts'
import { useAction } from '../../api/use-action.ts'
import { formatDay } from '../../lib/format-time.ts'
import { Button } from '../../ui/controls/button.tsx'
import { FormProblem } from '../../ui/dialogs/form-problem.tsx'
import { toast } from '../../ui/floating/toast.tsx'
import { undoImport } from './import-store.ts'

/** Returns the message about an undone import: what was removed, and what was kept. */
export function sayUndone(
  { moved, changed, prompts, prompts_changed: keptPrompts }: UndoneImport,
  t: TFunction,
): string {
  const sentences = [
    moved > 0 || prompts === 0 ? t('import.undone', { count: moved }) : null,
    prompts > 0 ? t('import.undonePrompts', { count: prompts }) : null,
    changed > 0 ? t('import.undoneKept', { count: changed }) : null,
    keptPrompts > 0 ? t('import.undoneKeptPrompts', { count: keptPrompts }) : null,
  ]
  return sentences.filter((sentence) => sentence !== null).join(' ')
}

/** Imports whose chats or prompts still exist, each of which can be undone. */
export function EarlierImports({ onUndone }: { onUndone: () => void }) {
  const { t } = useTranslation()
  const [runs, setRuns] = useState<readonly ImportRun[]>([])
  const load = (): Promise<void> => call(endpoints.imports.runs, {}).then(setRuns)
  useEffect(() => {
    // The list is optional; everything else works without it.
    load().catch(() => undefined)
  }, [])
  const undoing = useAction(async (id: string) => {
    toast({ text: sayUndone(await undoImport(id), t) })
    onUndone()
    await load()
  })
  if (runs.length === 0) return null
  return (
    <div className="mt-6">
      <h3 className="font-medium">{t('import.earlier.title')}</h3>
      <FormProblem text={undoing.problem} />
      <ul className="mt-2 divide-y divide-line rounded-large border border-line bg-raised">
        {runs.map(({ import_id: id, source, imported_at: time, chats, prompts }) => {
          const name = t(`import.source.${source}`)
          const day = formatDay(time)
          return (
            <li key={id} className="flex flex-wrap items-center gap-x-3 gap-y-1 px-4 py-2">
              <p className="min-w-0 flex-1 basis-40">
                {name}{' '}
                <span className="text-small text-muted">
                  {t('import.earlier.made', { count: chats, day })}
                  {prompts > 0 && ` · ${t('import.prompts', { count: prompts })}`}
                </span>
              </p>
              <Button
                tone="quiet"
                icon={<Undo2 className="size-4" />}
                busy={undoing.busy}
                aria-label={t('import.earlier.undoNamed', { source: name, day })}
                onClick={() => void undoing.run(id)}
              >
                {t('import.earlier.undo')}
              </Button>
            </li>
          )
        })}
      </ul>
    </div>
  )
}
