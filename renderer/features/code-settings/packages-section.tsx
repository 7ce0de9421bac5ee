import { Download, Trash2, X } from 'lucide-react'
import { type ReactNode, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import type { CodePackagesState } from '#contract/code.ts'
import { call, endpoints } from '../../api/client.ts'
import { useAction } from '../../api/use-action.ts'
import { formatBytes } from '../../lib/format-size.ts'
import { Badge } from '../../ui/marks/badge.tsx'
import { Button } from '../../ui/controls/button.tsx'
import { FormProblem } from '../../ui/dialogs/form-problem.tsx'
import { IconButton } from '../../ui/controls/icon-button.tsx'
import { PageSection } from '../../ui/layout/page-section.tsx'
import { ProgressBar } from '../../ui/marks/progress-bar.tsx'
import type { CodeSettingsStore } from './code-settings-store.ts'

const POLL = 700

/** Polls the progress of a download while one is running. */
function useFollowed(store: CodeSettingsStore, isUnderWay: boolean): void {
  useEffect(() => {
    if (!isUnderWay) return
    const timer = setInterval(() => {
      // A failed request is repeated.
      void call(endpoints.code.packages, {}).then(
        (packages) => store.setState({ packages }),
        () => undefined,
      )
    }, POLL)
    return () => clearInterval(timer)
  }, [store, isUnderWay])
}

function Progress({
  download,
  onStop,
}: {
  download: NonNullable<CodePackagesState['download']>
  onStop: () => void
}) {
  const { t } = useTranslation()
  const { file, done, total, bytes } = download
  return (
    <div className="mb-3 flex items-center gap-3 rounded-large border border-line bg-raised px-4 py-3">
      <div className="min-w-0 flex-1">
        <p className="mb-2 flex flex-wrap justify-between gap-x-3 text-small">
          <span className="min-w-0 wrap-anywhere">
            {t('code.settings.packages.progress', { file, done: Math.min(done + 1, total), total })}
          </span>
          <span className="text-muted tabular-nums">{formatBytes(bytes)}</span>
        </p>
        <ProgressBar
          label={t('code.settings.packages.title')}
          value={total > 0 ? done / total : null}
        />
      </div>
      <IconButton label={t('code.settings.packages.stop')} icon={<X />} onClick={onStop} />
    </div>
  )
}

/**
 * Packages that code may import: the installed ones, the source of the others, and the download
 * progress.
 */
export function PackagesSection({
  store,
  source,
}: {
  store: CodeSettingsStore
  source: ReactNode
}) {
  const { t } = useTranslation()
  const packages = useStore(store, (state) => state.packages)
  const take = (next: CodePackagesState): void => store.setState({ packages: next })
  const fetching = useAction(async (names?: string[]) =>
    take(await call(endpoints.code.fetchPackages, { body: names ? { names } : {} })),
  )
  const ending = useAction(async (remove: boolean) =>
    take(await call(endpoints.code.stopPackages, { query: remove ? { remove } : {} })),
  )
  const download = packages?.download ?? null
  useFollowed(store, download !== null)
  if (!packages) return null
  const isMissing = packages.packages.some(({ installed }) => !installed)
  const hasAny = packages.packages.some(({ installed }) => installed)
  return (
    <PageSection
      title={t('code.settings.packages.title')}
      text={t('code.settings.packages.text')}
      action={
        isMissing &&
        download === null && (
          <Button
            icon={<Download className="size-4" />}
            busy={fetching.busy}
            onClick={() => void fetching.run(undefined)}
          >
            {t('code.settings.packages.all')}
          </Button>
        )
      }
    >
      <FormProblem text={fetching.problem ?? ending.problem} />
      {packages.error !== null && download === null && (
        <FormProblem text={t('code.settings.packages.failed', { problem: packages.error })} />
      )}
      <div aria-live="polite">
        {download && <Progress download={download} onStop={() => void ending.run(false)} />}
      </div>
      <ul className="mt-3 divide-y divide-line rounded-large border border-line bg-raised">
        {packages.packages.map(({ name, version, size, installed }) => (
          <li key={name} className="flex min-h-12 items-center gap-3 px-4 py-1.5">
            <span className="min-w-0 flex-1">
              <bdi className="font-medium">{name}</bdi>{' '}
              <span className="text-small text-muted">{version}</span>
              {size !== null && (
                <span className="block text-small text-muted">{formatBytes(size)}</span>
              )}
            </span>
            <Badge tone={installed ? 'accent' : 'neutral'}>
              {t(`code.settings.packages.${installed ? 'here' : 'missing'}`)}
            </Badge>
            {!installed && download === null && (
              <IconButton
                label={t('code.settings.packages.fetch', { name })}
                icon={<Download />}
                onClick={() => void fetching.run([name])}
              />
            )}
          </li>
        ))}
      </ul>
      <div className="mt-3 flex flex-wrap items-center justify-between gap-3">
        <p className="min-w-0 flex-1 basis-72 text-small text-pretty wrap-anywhere text-muted">
          {packages.source === ''
            ? t('code.settings.packages.nothing')
            : t('code.settings.packages.from', { source: packages.source })}
        </p>
        {hasAny && download === null && (
          <Button
            tone="quiet"
            icon={<Trash2 className="size-4" />}
            busy={ending.busy}
            onClick={() => void ending.run(true)}
          >
            {t('code.settings.packages.remove')}
          </Button>
        )}
      </div>
      {source}
    </PageSection>
  )
}
