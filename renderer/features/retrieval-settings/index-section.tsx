import { CircleAlert } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { EngineStateReply } from '#contract/retrieval-engine.ts'
import { call, endpoints } from '../../api/client.ts'
import { useAction } from '../../api/use-action.ts'
import { Button } from '../../ui/controls/button.tsx'
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog.tsx'
import { FormProblem } from '../../ui/dialogs/form-problem.tsx'
import { PageSection } from '../../ui/layout/page-section.tsx'
import { ProgressBar } from '../../ui/marks/progress-bar.tsx'

interface IndexSectionProps {
  readonly engine: EngineStateReply
  readonly onState: (engine: EngineStateReply) => void
}

/** Progress of re-embedding documents, with a stop button. */
export function ReindexBanner({ engine, onState }: IndexSectionProps) {
  const { t } = useTranslation()
  const stopping = useAction(async () => onState(await call(endpoints.retrieval.stopReindex, {})))
  const { reindex } = engine
  if (!reindex) return null
  return (
    <div className="mb-6 rounded-large border border-line bg-accent-soft/60 px-4 py-3">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <div className="min-w-0 flex-1 basis-56">
          <p className="font-medium">
            {t('retrieval.index.running', { done: reindex.done, total: reindex.total })}
          </p>
          <p className="truncate text-small text-muted">
            <bdi>{reindex.document ?? t('retrieval.index.runningHint')}</bdi>
          </p>
        </div>
        <Button busy={stopping.busy} onClick={() => void stopping.run()}>
          {t('retrieval.index.stop')}
        </Button>
      </div>
      <div className="mt-2">
        <ProgressBar
          label={t('retrieval.index.progress')}
          value={reindex.total > 0 ? reindex.done / reindex.total : null}
        />
      </div>
      <FormProblem text={stopping.problem} />
    </div>
  )
}

function Figures({ engine }: { engine: EngineStateReply }) {
  const { t } = useTranslation()
  const { documents, chunks, dimensions, model, kind } = engine
  const figures = [
    [t('retrieval.index.engine'), model ?? t(`retrieval.index.kinds.${kind}`)],
    [
      t('retrieval.index.documents'),
      t('retrieval.index.ofAll', { current: documents.current, total: documents.total }),
    ],
    [t('retrieval.index.chunks'), String(chunks)],
    [
      t('retrieval.index.dimensions'),
      dimensions === null ? t('retrieval.index.unknown') : String(dimensions),
    ],
  ] as const
  return (
    <dl className="grid gap-x-6 gap-y-3 rounded-large border border-line bg-raised px-4 py-3 sm:grid-cols-4">
      {figures.map(([name, value]) => (
        <div key={name} className="min-w-0">
          <dt className="text-small text-muted">{name}</dt>
          <dd className="font-medium wrap-anywhere tabular-nums">
            <bdi>{value}</bdi>
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** State of the index relative to the engine, with actions to correct it. */
export function IndexSection({ engine, onState }: IndexSectionProps) {
  const { t } = useTranslation()
  const [asked, setAsked] = useState<'reindex' | 'rebuild' | null>(null)
  const [checked, setChecked] = useState<string | null>(null)
  const running = useAction(async (which: 'reindex' | 'rebuild') => {
    setAsked(null)
    onState(
      which === 'reindex'
        ? await call(endpoints.retrieval.reindex, { body: {} })
        : await call(endpoints.retrieval.rebuildIndex, {}),
    )
  })
  const checking = useAction(async () => {
    setChecked(null)
    const { passages, vectors, words } = await call(endpoints.retrieval.checkIndex, {})
    const isWhole = vectors === passages && words === passages
    setChecked(
      t(isWhole ? 'retrieval.index.whole' : 'retrieval.index.notWhole', {
        passages,
        vectors,
        words,
      }),
    )
  })
  const { problem, documents } = engine
  const isBehind = engine.reindex === null && documents.current < documents.total
  return (
    <PageSection title={t('retrieval.index.title')} text={t('retrieval.index.text')}>
      <div className="flex flex-col gap-3">
        <FormProblem text={running.problem ?? checking.problem} />
        {problem && (
          <p
            role="alert"
            className="flex items-start gap-2 rounded-medium bg-warning-soft px-3 py-2"
          >
            <CircleAlert className="mt-0.5 size-4 shrink-0 text-warning" />
            <span className="min-w-0 wrap-anywhere">{problem}</span>
          </p>
        )}
        <Figures engine={engine} />
        {isBehind && (
          <p className="text-small text-muted">
            {t('retrieval.index.behind', { count: documents.total - documents.current })}
          </p>
        )}
        <div className="flex flex-wrap items-center gap-2">
          <Button
            disabled={engine.reindex !== null || documents.total === 0}
            onClick={() => setAsked('reindex')}
          >
            {t('retrieval.index.reindex')}
          </Button>
          <Button busy={checking.busy} onClick={() => void checking.run()}>
            {t('retrieval.index.check')}
          </Button>
          {checked !== null && (
            <Button disabled={engine.reindex !== null} onClick={() => setAsked('rebuild')}>
              {t('retrieval.index.rebuild')}
            </Button>
          )}
          <output className="text-small">{checked}</output>
        </div>
      </div>
      <ConfirmDialog
        open={asked !== null}
        onClose={() => setAsked(null)}
        title={t('retrieval.index.askTitle', { count: documents.total })}
        description={t('retrieval.index.askText')}
        confirmLabel={t(
          asked === 'rebuild' ? 'retrieval.index.rebuild' : 'retrieval.index.reindex',
        )}
        onConfirm={() => asked && void running.run(asked)}
      />
    </PageSection>
  )
}
