import { Search } from 'lucide-react'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ImportChat } from '#contract/imports.ts'
import { formatDay } from '../../lib/format-time.ts'
import { Badge, type BadgeTone } from '../../ui/marks/badge.tsx'
import { Button } from '../../ui/controls/button.tsx'
import { Checkbox } from '../../ui/controls/checkbox.tsx'
import { EmptyState } from '../../ui/layout/empty-state.tsx'
import { choose, choosePrompts, type ImportStep, type ImportStore } from './import-store.ts'

type Preview = Extract<ImportStep, { kind: 'preview' }>
type State = ImportChat['state']

/** Number of rows rendered at first, and added with each step. */
const STEP = 200

const TONES: Record<State, BadgeTone> = { new: 'accent', changed: 'warning', known: 'neutral' }

export const countStates = (chats: readonly ImportChat[]): Record<State, number> => {
  const counts = { new: 0, changed: 0, known: 0 }
  for (const chat of chats) counts[chat.state] += 1
  return counts
}

function PreviewRow({
  chat,
  chosen,
  onChoose,
}: {
  chat: ImportChat
  chosen: boolean
  onChoose: (chosen: boolean) => void
}) {
  const { t } = useTranslation()
  const facts = [
    chat.created_at === null ? null : formatDay(chat.created_at),
    t('import.messages', { count: chat.message_count }),
    chat.branch_count > 1 ? t('import.branches', { count: chat.branch_count }) : null,
  ]
  return (
    <li>
      <label className="flex items-center gap-2 px-3 py-1.5 hover:bg-hover">
        <Checkbox checked={chosen} onChange={onChoose} />
        <span className="min-w-0 flex-1">
          <bdi className="block truncate">{chat.title || t('chats.untitled')}</bdi>
          <span className="block text-small text-muted">{facts.filter(Boolean).join(' · ')}</span>
        </span>
        <Badge tone={TONES[chat.state]}>{t(`import.state.${chat.state}`)}</Badge>
      </label>
    </li>
  )
}

/** The prompts of an archive, which are imported together or not at all. */
export function PromptsPreview({ store, step }: { store: ImportStore; step: Preview }) {
  const { t } = useTranslation()
  const { prompts } = step.archive
  return (
    <div className="rounded-large border border-line bg-raised">
      <label className="flex min-h-11 items-center gap-2 px-3">
        <Checkbox checked={step.withPrompts} onChange={(chosen) => choosePrompts(store, chosen)} />
        {t('import.withPrompts', { count: prompts.length })}
      </label>
      <details className="border-t border-line px-3 py-2 text-small">
        <summary className="min-h-6 font-medium text-muted">{t('import.promptList')}</summary>
        <ul className="mt-1 max-h-60 overflow-y-auto">
          {prompts.map(({ key, name, state }) => (
            <li key={key} className="flex items-center gap-2 py-1">
              <bdi className="min-w-0 flex-1 truncate">{name}</bdi>
              <Badge tone={TONES[state]}>{t(`import.state.${state}`)}</Badge>
            </li>
          ))}
        </ul>
      </details>
    </div>
  )
}

/** Contents of an archive, with a selection of what to import. */
export function ImportPreview({ store, step }: { store: ImportStore; step: Preview }) {
  const { t } = useTranslation()
  const { chats } = step.archive
  const [filter, setFilter] = useState<State | 'all'>('all')
  const [query, setQuery] = useState('')
  const [limit, setLimit] = useState(STEP)
  const counts = useMemo(() => countStates(chats), [chats])
  const shown = useMemo(() => {
    const wanted = query.trim().toLowerCase()
    return chats.filter(
      (chat) =>
        (filter === 'all' || chat.state === filter) && chat.title.toLowerCase().includes(wanted),
    )
  }, [chats, filter, query])
  const chosen = shown.filter((chat) => step.selection.has(chat.key)).length
  const filters = [
    ['all', chats.length],
    ['new', counts.new],
    ['changed', counts.changed],
    ['known', counts.known],
  ] as const
  return (
    <div className="flex flex-col gap-3">
      <fieldset className="flex flex-wrap gap-1.5">
        <legend className="sr-only">{t('import.filter')}</legend>
        {filters.map(([name, count]) => (
          <Button
            key={name}
            aria-pressed={filter === name}
            onClick={() => setFilter(name)}
            className={filter === name ? 'border-accent! bg-accent-soft!' : ''}
          >
            {t(`import.state.${name}`)} <span className="text-muted tabular-nums">{count}</span>
          </Button>
        ))}
      </fieldset>
      <search className="relative block">
        <Search className="pointer-events-none absolute start-3 top-1/2 size-4 -translate-y-1/2 text-muted" />
        <input
          type="search"
          aria-label={t('chats.searchTitles')}
          placeholder={t('chats.searchTitles')}
          value={query}
          onChange={(event) => setQuery(event.target.value)}
          className="h-primary w-full rounded-medium border border-edge bg-raised ps-9 pe-3 text-ui pointer-coarse:min-h-11"
        />
      </search>
      {shown.length === 0 ? (
        <EmptyState title={t('import.nothingShown')} />
      ) : (
        <div className="rounded-large border border-line bg-raised">
          <label className="flex min-h-11 items-center gap-2 border-b border-line px-3">
            <Checkbox
              checked={chosen === shown.length}
              mixed={chosen > 0}
              onChange={(all) =>
                choose(
                  store,
                  shown.map((chat) => chat.key),
                  all,
                )
              }
            />
            <span className="text-small text-muted">
              {t('import.chosen', { chosen, count: shown.length })}
            </span>
          </label>
          <ul
            // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling box must be reachable by keyboard
            tabIndex={0}
            aria-label={t('import.contents')}
            className="max-h-[min(28rem,50dvh)] divide-y divide-line overflow-y-auto rounded-b-large outline-offset-[-2px]"
          >
            {shown.slice(0, limit).map((chat) => (
              <PreviewRow
                key={chat.key}
                chat={chat}
                chosen={step.selection.has(chat.key)}
                onChoose={(wanted) => choose(store, [chat.key], wanted)}
              />
            ))}
            {shown.length > limit && (
              <li className="p-2 text-center">
                <Button tone="quiet" onClick={() => setLimit(limit + STEP)}>
                  {t('import.showMore', { count: shown.length - limit })}
                </Button>
              </li>
            )}
          </ul>
        </div>
      )}
    </div>
  )
}
