import { Check, RotateCcw } from 'lucide-react'
import { useCallback, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import type { PromptDiff, PromptVersion } from '#contract/prompts.ts'
import { toSentence } from '../../api/api-error.ts'
import { call, endpoints } from '../../api/client.ts'
import { classNames } from '../../lib/class-names.ts'
import { formatMoment } from '../../lib/format-time.ts'
import { Badge } from '../../ui/marks/badge.tsx'
import { Button } from '../../ui/controls/button.tsx'
import { Dialog } from '../../ui/dialogs/dialog.tsx'
import { FormProblem } from '../../ui/dialogs/form-problem.tsx'
import { PageWait } from '../../ui/layout/page-wait.tsx'
import { toast } from '../../ui/floating/toast.tsx'
import { type PromptsStore, restoreVersion } from './prompts-store.ts'

const PAGE_SIZE = 30

/** Returns the versions of a prompt, page by page. */
function useVersions(promptId: string) {
  const [versions, setVersions] = useState<readonly PromptVersion[] | null>(null)
  const [hasMore, setHasMore] = useState(false)
  const [isReadingMore, setReadingMore] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const read = useCallback(
    async (page: number): Promise<void> => {
      try {
        const rows = await call(endpoints.prompts.history, {
          params: { prompt_id: promptId },
          query: { page },
        })
        setVersions((before) => (page === 1 ? rows : [...(before ?? []), ...rows]))
        setHasMore(rows.length === PAGE_SIZE)
      } catch (thrown) {
        setProblem(toSentence(thrown))
      }
    },
    [promptId],
  )
  useEffect(() => {
    const timer = setTimeout(() => void read(1))
    return () => clearTimeout(timer)
  }, [read])
  const readMore = async (): Promise<void> => {
    setReadingMore(true)
    await read(Math.ceil((versions?.length ?? 0) / PAGE_SIZE) + 1)
    setReadingMore(false)
  }
  return { versions, hasMore, isReadingMore, problem, readMore }
}

const LINE_LOOK = {
  same: 'text-muted',
  removed: 'bg-danger-soft text-danger',
  added: 'bg-accent-soft text-accent-strong dark:text-accent',
} as const
const LINE_SIGN = { same: ' ', removed: '−', added: '+' } as const

/** Two texts compared line by line; symbols convey the same as colours. */
function DiffView({ diff }: { diff: PromptDiff }) {
  const { t } = useTranslation()
  const {
    content_diff: lines,
    name_changed: nameChanged,
    command_changed: commandChanged,
    from,
    to,
  } = diff
  const isSame = lines.every(({ kind }) => kind === 'same') && !nameChanged && !commandChanged
  if (isSame) return <p className="text-muted">{t('prompts.sameText')}</p>
  return (
    <div className="flex flex-col gap-2">
      {nameChanged && (
        <p>{t('prompts.nameChanged', { from: from.snapshot.name, to: to.snapshot.name })}</p>
      )}
      {commandChanged && (
        <p>
          {t('prompts.commandChanged', { from: from.snapshot.command, to: to.snapshot.command })}
        </p>
      )}
      <section
        aria-label={t('prompts.comparison')}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling box must be reachable by keyboard
        tabIndex={0}
        className="max-h-72 overflow-auto rounded-medium border border-line py-1 font-mono text-code"
      >
        {lines.map(({ kind, text }, place) => (
          // oxlint-disable-next-line react/no-array-index-key -- lines of a comparison have no other key than their index
          <div key={place} className={classNames('flex px-3 whitespace-pre-wrap', LINE_LOOK[kind])}>
            <span className="w-4 shrink-0 select-none">
              <span aria-hidden="true">{LINE_SIGN[kind]}</span>
              {kind !== 'same' && <span className="sr-only">{t(`prompts.${kind}`)}</span>}
            </span>
            <span dir="auto" className="min-w-0 wrap-anywhere">
              {text || ' '}
            </span>
          </div>
        ))}
      </section>
    </div>
  )
}

interface VersionLineProps {
  readonly version: PromptVersion
  readonly inUse: boolean
  readonly selected: boolean
  readonly onSelect: () => void
}

function VersionLine({ version, inUse, selected, onSelect }: VersionLineProps) {
  const { t } = useTranslation()
  return (
    <li>
      <button
        type="button"
        aria-pressed={selected}
        onClick={onSelect}
        className={classNames(
          'flex min-h-11 w-full flex-wrap items-center gap-x-2 rounded-medium px-3 py-1.5 text-start transition-colors duration-(--motion-in)',
          selected ? 'bg-pressed' : 'hover:bg-hover',
        )}
      >
        <span className="min-w-0 flex-1">
          <bdi className="block truncate font-medium">
            {version.commit_message ?? t('prompts.noNote')}
          </bdi>
          <span className="block truncate text-small text-muted">
            {[formatMoment(version.created_at), version.user?.name].filter(Boolean).join(' · ')}
          </span>
        </span>
        {inUse && (
          <Badge tone="accent" icon={<Check />}>
            {t('prompts.inUse')}
          </Badge>
        )}
      </button>
    </li>
  )
}

interface PromptHistoryProps {
  readonly store: PromptsStore
  readonly promptId: string
  readonly onClose: () => void
}

/** Earlier versions of a prompt: their differences, and an action to restore one. */
export function PromptHistory({ store, promptId, onClose }: PromptHistoryProps) {
  const { t } = useTranslation()
  const prompt = useStore(store, (state) => state.items.find((each) => each.id === promptId))
  const { versions, hasMore, isReadingMore, problem, readMore } = useVersions(promptId)
  const [chosen, setChosen] = useState<string | null>(null)
  const [diff, setDiff] = useState<PromptDiff | null>(null)
  const [failure, setFailure] = useState<string | null>(null)
  const inUse = prompt?.version_id ?? ''
  const selected = chosen ?? inUse
  useEffect(() => {
    if (!selected || !inUse) return
    const abort = new AbortController()
    call(
      endpoints.prompts.diff,
      { params: { prompt_id: promptId }, query: { from_id: selected, to_id: inUse } },
      { signal: abort.signal },
    )
      .then(setDiff)
      .catch((thrown: unknown) => {
        if (!abort.signal.aborted) setFailure(toSentence(thrown))
      })
    return () => abort.abort()
  }, [promptId, selected, inUse])
  /** The displayed comparison belongs to the previously selected version. */
  const choose = (id: string): void => {
    if (id === selected) return
    setChosen(id)
    setDiff(null)
    setFailure(null)
  }
  const restore = (): void => {
    restoreVersion(store, promptId, selected)
      .then(() => toast({ text: t('prompts.restored') }))
      .catch((thrown: unknown) => setFailure(toSentence(thrown)))
  }
  return (
    <Dialog
      wide
      onClose={onClose}
      title={t('prompts.versionsOf', { name: prompt?.name ?? '' })}
      description={t('prompts.versionsHint')}
      actions={
        <>
          {prompt?.write_access && (
            <Button
              icon={<RotateCcw className="size-4" />}
              disabled={selected === inUse}
              onClick={restore}
              className="me-auto"
            >
              {t('prompts.restore')}
            </Button>
          )}
          <Button onClick={onClose}>{t('common.close')}</Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        <FormProblem text={problem ?? failure} />
        {versions === null && problem === null && <PageWait shape="lines" />}
        <ul
          aria-label={t('prompts.versions')}
          className="-mx-3 flex max-h-56 flex-col gap-px overflow-y-auto"
        >
          {versions?.map((version) => (
            <VersionLine
              key={version.id}
              version={version}
              inUse={version.id === inUse}
              selected={version.id === selected}
              onSelect={() => choose(version.id)}
            />
          ))}
        </ul>
        {hasMore && (
          <Button busy={isReadingMore} onClick={() => void readMore()}>
            {t('prompts.moreVersions')}
          </Button>
        )}
        {selected === inUse ? (
          <p
            dir="auto"
            className="max-h-72 overflow-y-auto rounded-medium bg-sunken px-3 py-2 whitespace-pre-wrap wrap-anywhere"
          >
            {prompt?.content}
          </p>
        ) : (
          diff && <DiffView diff={diff} />
        )}
      </div>
    </Dialog>
  )
}
