import '../../lib/strings/deletions.ts'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Deletion } from '#contract/deletions.ts'
import { call, endpoints } from '../../api/client.ts'
import { ProgressBar } from '../marks/progress-bar.tsx'

type Kinds = readonly Deletion['kind'][]

/**
 * A line of the note. Accounts have one each; files and chats, of which many can be in progress,
 * are combined.
 */
interface Line extends Pick<Deletion, 'kind' | 'title' | 'total' | 'left'> {
  readonly key: string
  readonly count: number
}

interface DeletionsNoteProps {
  /** A value that changes after each deletion. */
  readonly turn: unknown
  readonly kinds: Kinds
}

const WAIT_MILLISECONDS = 2000

/** Returns the deletions in progress, polled until there are none. */
function useDeletions({ turn, kinds }: DeletionsNoteProps): readonly Deletion[] {
  const [deletions, setDeletions] = useState<readonly Deletion[]>([])
  useEffect(() => {
    const abort = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    let isShown = false
    const look = async (): Promise<void> => {
      try {
        const found = (await call(endpoints.deletions.list, {}, abort)).filter(({ kind }) =>
          kinds.includes(kind),
        )
        isShown = found.length > 0
        if (!abort.signal.aborted) setDeletions(found)
      } catch {
        // The page itself reports when the gateway does not respond.
      }
      if (isShown && !abort.signal.aborted) timer = setTimeout(() => void look(), WAIT_MILLISECONDS)
    }
    void look()
    return () => {
      abort.abort()
      clearTimeout(timer)
    }
  }, [turn, kinds])
  return deletions
}

/** Returns the sum of the known values; null if none is known. */
function sum(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null)
  return known.length > 0 ? known.reduce((total, value) => total + value, 0) : null
}

const toLines = (deletions: readonly Deletion[]): Line[] =>
  [...Map.groupBy(deletions, ({ id, kind }) => (kind === 'account' ? `account ${id}` : kind))].map(
    ([key, group]) => ({
      key,
      kind: group[0]!.kind,
      title: group[0]!.title,
      count: group.length,
      total: sum(group.map(({ total }) => total)),
      left: sum(group.map(({ left }) => left)),
    }),
  )

/** Progress of deletions. */
export function DeletionsNote(props: DeletionsNoteProps) {
  const { t } = useTranslation()
  const deletions = useDeletions(props)
  if (deletions.length === 0) return null
  return (
    <section aria-label={t('deletions.title')} className="mt-6">
      <h2 className="text-small font-medium">{t('deletions.title')}</h2>
      <ul className="mt-2 flex flex-col gap-2">
        {toLines(deletions).map(({ key, kind, title, count, total, left }) => {
          const label = t(`deletions.${kind}`, { name: title, count })
          return (
            <li key={key} className="text-small">
              <span>{label}</span>{' '}
              <span className="text-muted">
                {left === null ? t('deletions.waiting') : t('deletions.left', { count: left })}
              </span>
              {left !== null && total !== null && total > 0 && (
                <ProgressBar label={label} value={(total - left) / total} />
              )}
            </li>
          )
        })}
      </ul>
      <p className="mt-2 text-small text-muted">{t('deletions.hint')}</p>
    </section>
  )
}
