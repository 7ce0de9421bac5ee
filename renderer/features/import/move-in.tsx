import { FolderSearch } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { FoundProgram } from '#contract/imports.ts'
import { call, endpoints } from '../../api/client.ts'
import { useAction } from '../../api/use-action.ts'
import { formatDay } from '../../lib/format-time.ts'
import { Button } from '../../ui/controls/button.tsx'
import { FormProblem } from '../../ui/dialogs/form-problem.tsx'
import { openProgram, type ImportStore } from './import-store.ts'

function ProgramRow({
  program,
  onOpen,
}: {
  program: FoundProgram
  onOpen: (name: string) => void
}) {
  const { t } = useTranslation()
  const source = t(`import.source.${program.source}`)
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2 px-4 py-3">
      <div className="min-w-0 flex-1 basis-48">
        <p className="font-medium">{source}</p>
        <p className="text-small wrap-anywhere text-muted">
          <bdi dir="ltr" data-exempt="">
            {program.path}
          </bdi>{' '}
          · {t('import.moveIn.changed', { day: formatDay(program.changed_at) })}
        </p>
      </div>
      <Button
        aria-label={t('import.moveIn.openNamed', { source, path: program.path })}
        onClick={() => onOpen(source)}
      >
        {t('import.moveIn.open')}
      </Button>
    </li>
  )
}

/**
 * Import from other programs on the gateway's computer. The search starts only when the button is
 * pressed.
 */
export function MoveIn({ store }: { store: ImportStore }) {
  const { t } = useTranslation()
  const [found, setFound] = useState<readonly FoundProgram[] | null>(null)
  const search = useAction(() => call(endpoints.imports.findPrograms, {}), setFound)
  return (
    <div className="flex flex-col items-start gap-3 rounded-large border border-line bg-raised p-4">
      <div>
        <h3 className="font-medium">{t('import.moveIn.title')}</h3>
        <p className="mt-0.5 text-small text-pretty text-muted">{t('import.moveIn.text')}</p>
      </div>
      <FormProblem text={search.problem} />
      <Button
        icon={<FolderSearch className="size-4" />}
        busy={search.busy}
        onClick={() => void search.run()}
      >
        {t('import.moveIn.search')}
      </Button>
      <output className="block w-full">
        {found?.length === 0 && <p className="text-ui text-muted">{t('import.moveIn.none')}</p>}
        {found !== null && found.length > 0 && (
          <ul
            aria-label={t('import.moveIn.found')}
            className="divide-y divide-line rounded-medium border border-line"
          >
            {found.map((program) => (
              <ProgramRow
                key={program.id}
                program={program}
                onOpen={(name) => void openProgram(store, program, name)}
              />
            ))}
          </ul>
        )}
      </output>
    </div>
  )
}
