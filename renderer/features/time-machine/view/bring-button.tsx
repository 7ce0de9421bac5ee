import { ArchiveRestore } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { SnapshotKind } from '#contract/time-machine.ts'
import { call, endpoints } from '../../../api/client.ts'
import { useAction } from '../../../api/use-action.ts'
import { presentPath } from '../../../lib/viewed-snapshot.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { FormProblem } from '../../../ui/dialogs/form-problem.tsx'
import { IconButton } from '../../../ui/controls/icon-button.tsx'
import { toast } from '../../../ui/floating/toast.tsx'

interface BringButtonProps {
  readonly snapshotId: string
  readonly kind: SnapshotKind
  readonly id: string
  readonly name: string
  readonly isSmall?: boolean
}

/** Workspace areas in which restored copies open; folders appear in the list of chats. */
const AREAS = { note: 'notes', prompt: 'prompts', skill: 'skills' } as const

function pathOfCopy(kind: SnapshotKind, id: string): string {
  if (kind === 'chat') return presentPath(`/c/${encodeURIComponent(id)}`)
  if (kind === 'folder') return presentPath('/')
  if (kind === 'calendar' || kind === 'event') return presentPath('/calendar')
  const item = kind === 'note' ? `?id=${encodeURIComponent(id)}` : ''
  return presentPath(`/workspace/${AREAS[kind]}${item}`)
}

/** Restores one item into the present, as a copy. */
export function BringButton({ snapshotId, kind, id, name, isSmall = false }: BringButtonProps) {
  const { t } = useTranslation()
  const { busy, problem, run } = useAction(async () => {
    const back = await call(
      endpoints.timeMachine.bringBack,
      { params: { snapshot_id: snapshotId }, body: { kind, id } },
      { inPresent: true },
    )
    const missing = back.missing_files
    const text = t('timeMachine.broughtBack', { name })
    toast({
      ...(missing > 0 && { tone: 'warning' as const }),
      text: missing > 0 ? `${text} · ${t('timeMachine.missingFiles', { count: missing })}` : text,
      action: {
        label: t('timeMachine.open'),
        onSelect: () => location.assign(pathOfCopy(kind, back.id)),
      },
    })
  })
  const label = t('timeMachine.bringNamed', { name })
  return (
    <>
      {isSmall ? (
        <IconButton
          size="small"
          label={label}
          icon={<ArchiveRestore />}
          aria-disabled={busy || undefined}
          onClick={() => {
            if (!busy) void run()
          }}
        />
      ) : (
        <Button
          busy={busy}
          icon={<ArchiveRestore className="size-4" />}
          aria-label={label}
          onClick={() => void run()}
        >
          {t('timeMachine.bring')}
        </Button>
      )}
      {problem !== null && <FormProblem text={problem} />}
    </>
  )
}
