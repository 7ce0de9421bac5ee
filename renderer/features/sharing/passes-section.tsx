import { Ticket } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { toSharedUrls } from '../../lib/shared-urls.ts'
import { useStore } from 'zustand'
import type { Model } from '#contract/models.ts'
import type { GuestPass } from '#contract/sharing.ts'
import { call, endpoints } from '../../api/client.ts'
import { useAction } from '../../api/use-action.ts'
import { formatMoment } from '../../lib/format-time.ts'
import { Badge } from '../../ui/marks/badge.tsx'
import { Button } from '../../ui/controls/button.tsx'
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog.tsx'
import { FormProblem } from '../../ui/dialogs/form-problem.tsx'
import { ListRow, Rows } from '../../ui/lists/list-row.tsx'
import { PageSection } from '../../ui/layout/page-section.tsx'
import { CreatePassDialog } from './create-pass-dialog.tsx'
import { loadSharing, type SharingStore } from './sharing-store.ts'

function PassRow({ pass, onEnd }: { pass: GuestPass; onEnd: () => void }) {
  const { t } = useTranslation()
  const { name, models, message_count, message_limit, ended_at, used_at, ends_at } = pass
  const isOver = ended_at !== null
  return (
    <ListRow
      icon={<Ticket />}
      name={name}
      badges={
        isOver ? (
          <Badge>{t('sharing.ended')}</Badge>
        ) : used_at === null ? (
          <Badge tone="warning">{t('sharing.waiting')}</Badge>
        ) : (
          <Badge tone="accent">{t('sharing.inUse')}</Badge>
        )
      }
      facts={[
        models.join(', '),
        t('sharing.messagesOf', { used: message_count, limit: message_limit }),
        t('sharing.until', { moment: formatMoment(ended_at ?? ends_at) }),
      ]}
      controls={
        !isOver && (
          <Button aria-label={t('sharing.endPass', { name })} onClick={onEnd}>
            {t('sharing.end')}
          </Button>
        )
      }
    />
  )
}

/** Passes for guests without an account. */
export function PassesSection({
  store,
  models,
}: {
  store: SharingStore
  models: readonly Model[]
}) {
  const { t } = useTranslation()
  const passes = useStore(store, (state) => state.passes)
  const status = useStore(store, (state) => state.status)
  const [isCreating, setCreating] = useState(false)
  const [ending, setEnding] = useState<GuestPass | null>(null)
  const url = status ? toSharedUrls(status)[0] : undefined
  const { run, problem } = useAction(async (pass: GuestPass) => {
    await call(endpoints.sharing.endPass, { params: { pass_id: pass.id } })
    await loadSharing(store)
  })
  return (
    <PageSection
      title={t('sharing.passes')}
      text={t('sharing.passesText')}
      action={
        <Button disabled={url === undefined} onClick={() => setCreating(true)}>
          {t('sharing.createPass')}
        </Button>
      }
    >
      <FormProblem text={problem} />
      {url === undefined && <p className="text-muted">{t('sharing.needsSharing')}</p>}
      {url !== undefined && passes.length === 0 && (
        <p className="text-muted">{t('sharing.noPasses')}</p>
      )}
      {passes.length > 0 && (
        <Rows label={t('sharing.passes')}>
          {passes.map((pass) => (
            <PassRow key={pass.id} pass={pass} onEnd={() => setEnding(pass)} />
          ))}
        </Rows>
      )}
      {isCreating && url !== undefined && (
        <CreatePassDialog
          url={url}
          models={models}
          onCreated={() => void loadSharing(store)}
          onClose={() => setCreating(false)}
        />
      )}
      <ConfirmDialog
        open={ending !== null}
        onClose={() => setEnding(null)}
        title={t('sharing.endPassTitle', { name: ending?.name ?? '' })}
        description={t('sharing.endPassText')}
        confirmLabel={t('sharing.end')}
        danger
        onConfirm={() => {
          setEnding(null)
          if (ending) void run(ending)
        }}
      />
    </PageSection>
  )
}
