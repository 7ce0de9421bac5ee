import '../../lib/strings/ratings.ts'
import { Download, ThumbsDown, ThumbsUp } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { LeaderboardEntry, RatedItem } from '#contract/evaluations.ts'
import { toSentence } from '../../api/api-error.ts'
import { call, endpoints } from '../../api/client.ts'
import { useAction } from '../../api/use-action.ts'
import { downloadText } from '../../lib/download.ts'
import { formatDay } from '../../lib/format-time.ts'
import { isRatingReason } from '../../lib/rating-reasons.ts'
import { Button } from '../../ui/controls/button.tsx'
import { FailedLine } from '../../ui/lists/failed-line.tsx'
import { EmptyList } from '../../ui/lists/empty-list.tsx'
import { PageSection } from '../../ui/layout/page-section.tsx'
import { PageWait } from '../../ui/layout/page-wait.tsx'
import { toast } from '../../ui/floating/toast.tsx'
import { useRatings } from './use-ratings.ts'
import { formatLocale } from '../../lib/i18n.ts'

type NameOf = (modelId: string) => string

function Leaderboard({
  entries,
  nameOf,
}: {
  entries: readonly LeaderboardEntry[]
  nameOf: NameOf
}) {
  const { t } = useTranslation()
  const head = 'px-3 py-2 text-small font-medium text-muted'
  return (
    <div className="mb-6 overflow-x-auto rounded-large border border-line">
      <table aria-label={t('ratings.leaderboard')} className="w-full border-collapse text-ui">
        <thead>
          <tr className="border-b border-line">
            <th scope="col" className={`${head} text-start`}>
              {t('ratings.model')}
            </th>
            {(['points', 'won', 'lost'] as const).map((name) => (
              <th key={name} scope="col" className={`${head} text-end`}>
                {t(`ratings.${name}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {entries.map(({ model_id: id, rating, won, lost }) => (
            <tr key={id} className="border-b border-line last:border-b-0">
              <th
                scope="row"
                className="w-full max-w-0 truncate px-3 py-2.5 text-start font-medium"
              >
                <bdi>{nameOf(id)}</bdi>
              </th>
              {[rating, won, lost].map((number, place) => (
                // oxlint-disable-next-line react/no-array-index-key -- the columns are fixed
                <td key={place} className="px-3 text-end tabular-nums">
                  {number.toLocaleString(formatLocale())}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function RatingRow({ item, nameOf }: { item: RatedItem; nameOf: NameOf }) {
  const { t } = useTranslation()
  const { data, user, updated_at: updatedAt } = item
  const isGood = Number(data.rating) === 1
  const Icon = isGood ? ThumbsUp : ThumbsDown
  const stored = data.reason ?? ''
  const reason = isRatingReason(stored) ? t(`ratings.reasons.${stored}`) : stored
  return (
    <li className="flex items-start gap-3 px-4 py-3">
      <Icon
        aria-label={t(isGood ? 'ratings.good' : 'ratings.bad')}
        className={`mt-0.5 size-4 shrink-0 ${isGood ? 'text-accent' : 'text-danger'}`}
      />
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-baseline gap-x-2">
          <bdi className="font-medium wrap-anywhere">{nameOf(data.model_id ?? '')}</bdi>
          {reason !== '' && <bdi className="text-small text-muted">{reason}</bdi>}
        </p>
        {data.comment && (
          <p dir="auto" className="mt-0.5 whitespace-pre-wrap wrap-anywhere">
            {data.comment}
          </p>
        )}
        <p className="mt-0.5 text-small text-muted">
          {t('ratings.by', {
            name: user?.name ?? t('ratings.somebody'),
            when: formatDay(updatedAt),
          })}
        </p>
      </div>
    </li>
  )
}

function ExportButton() {
  const { t } = useTranslation()
  const { busy, run } = useAction(async () => {
    try {
      const all = await call(endpoints.evaluations.exportFeedbacks, {})
      downloadText('ratings.json', JSON.stringify(all, null, 2), 'application/json')
    } catch (thrown) {
      toast({ tone: 'danger', text: `${t('ratings.exportFailed')}: ${toSentence(thrown)}` })
    }
  })
  return (
    <Button icon={<Download className="size-4" />} busy={busy} onClick={() => void run()}>
      {t('ratings.export')}
    </Button>
  )
}

/** Ratings of the models by their users, for administrators. */
export function RatingsSection({ nameOf }: { nameOf: NameOf }) {
  const { t } = useTranslation()
  const { ratings, problem, retry, readMore } = useRatings()
  const more = useAction(readMore)
  const hasRatings = ratings !== null && ratings.items.length > 0
  return (
    <PageSection
      title={t('ratings.title')}
      text={t('ratings.text')}
      action={hasRatings && <ExportButton />}
    >
      {problem !== null && (
        <FailedLine title={t('ratings.loadFailed')} problem={problem} onRetry={retry} />
      )}
      {ratings === null && problem === null && <PageWait />}
      {ratings !== null && !hasRatings && (
        <EmptyList icon={<ThumbsUp />} title={t('ratings.none')}>
          {t('ratings.noneHint')}
        </EmptyList>
      )}
      {hasRatings && (
        <>
          <Leaderboard entries={ratings.entries} nameOf={nameOf} />
          <h3 className="mb-2 font-semibold">{t('ratings.recent')}</h3>
          <ul
            aria-label={t('ratings.recent')}
            className="divide-y divide-line rounded-large border border-line bg-raised text-ui"
          >
            {ratings.items.map((item) => (
              <RatingRow key={item.id} item={item} nameOf={nameOf} />
            ))}
          </ul>
          {ratings.items.length < ratings.total && (
            <Button className="mt-3" busy={more.busy} onClick={() => void more.run()}>
              {t('ratings.more')}
            </Button>
          )}
        </>
      )}
    </PageSection>
  )
}
