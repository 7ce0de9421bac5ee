import { CalendarRange, Folder } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { SnapshotContents } from '#contract/time-machine.ts'
import { classNames } from '../../../lib/class-names.ts'
import { handleLink } from '../../../lib/handle-link.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { SearchBox } from '../../../ui/fields/search-box.tsx'
import { BringButton } from './bring-button.tsx'
import {
  groupsOf,
  holdersOf,
  pathOf,
  type PastHolder,
  type PastItem,
  type PastPlace,
  type ReadKind,
} from './past-places.ts'

/** Number of rows rendered at first; more are rendered on request. */
const ROWS = 100

interface RowsProps {
  readonly kind: ReadKind
  readonly items: readonly PastItem[]
  readonly place: PastPlace | null
}

function PastRows({ kind, items, place }: RowsProps) {
  const { t } = useTranslation()
  const [shown, setShown] = useState(ROWS)
  return (
    <>
      <ul className="flex flex-col gap-px">
        {items.slice(0, shown).map(({ id, title }) => {
          const isCurrent = place?.kind === kind && place.id === id
          return (
            <li key={id}>
              <a
                href={pathOf(kind, id)}
                onClick={handleLink}
                aria-current={isCurrent ? 'page' : undefined}
                className={classNames(
                  'flex min-h-(--row) items-center rounded-medium px-2.5 no-underline focus-visible:-outline-offset-2 pointer-coarse:min-h-11',
                  isCurrent ? 'bg-pressed text-ink' : 'text-ink hover:bg-hover',
                )}
              >
                <bdi className="min-w-0 truncate">{title || t('chats.untitled')}</bdi>
              </a>
            </li>
          )
        })}
      </ul>
      {items.length > shown && (
        <Button tone="quiet" className="w-full" onClick={() => setShown(shown + ROWS)}>
          {t('timeMachine.more')}
        </Button>
      )}
    </>
  )
}

const HEADING = 'min-w-0 flex-1 truncate py-1.5 text-small font-medium text-muted'

interface HolderProps {
  readonly snapshotId: string
  readonly held: PastHolder
  readonly place: PastPlace | null
}

/** A folder over its chats or a calendar over its events, which comes back with all of them. */
function Holder({ snapshotId, held: { kind, holder, itemKind, items }, place }: HolderProps) {
  const { t } = useTranslation()
  const Icon = kind === 'folder' ? Folder : CalendarRange
  const name = holder.title
  return (
    <section
      aria-label={t(`timeMachine.view.${kind === 'folder' ? 'inFolder' : 'inCalendar'}`, { name })}
    >
      <div className="flex items-center gap-2 ps-2.5">
        <Icon aria-hidden="true" className="size-4 shrink-0 text-muted" />
        <h2 className={HEADING}>
          <bdi>{name}</bdi>
        </h2>
        <BringButton isSmall snapshotId={snapshotId} kind={kind} id={holder.id} name={name} />
      </div>
      <PastRows kind={itemKind} items={items} place={place} />
    </section>
  )
}

interface PastListProps {
  readonly snapshotId: string
  readonly contents: SnapshotContents
  readonly place: PastPlace | null
}

/** Lists everything the user has in a snapshot: chats by folder, the rest, events by calendar. */
export function PastList({ snapshotId, contents, place }: PastListProps) {
  const { t } = useTranslation()
  const [words, setWords] = useState('')
  const holders = holdersOf(contents, words)
  const folders = holders.filter(({ kind }) => kind === 'folder')
  const calendars = holders.filter(({ kind }) => kind === 'calendar')
  const groups = groupsOf(contents, words)
  return (
    <>
      <div className="p-2">
        <SearchBox label={t('timeMachine.search')} value={words} onChange={setWords} />
      </div>
      <nav
        aria-label={t('timeMachine.view.contents')}
        className="min-h-0 flex-1 overflow-y-auto px-2 pb-3"
      >
        {folders.map((each) => (
          <Holder key={each.holder.id} snapshotId={snapshotId} held={each} place={place} />
        ))}
        {groups.map(({ name, kind, items }) => (
          <section key={name} aria-label={t(`timeMachine.${name}`)}>
            <h2 className={classNames(HEADING, 'ps-2.5')}>{t(`timeMachine.${name}`)}</h2>
            <PastRows kind={kind} items={items} place={place} />
          </section>
        ))}
        {calendars.map((each) => (
          <Holder key={each.holder.id} snapshotId={snapshotId} held={each} place={place} />
        ))}
        {holders.length === 0 && groups.length === 0 && (
          <p className="px-2.5 py-3 text-small text-muted">
            {t(words.trim() === '' ? 'timeMachine.nothing' : 'timeMachine.noMatch')}
          </p>
        )}
      </nav>
    </>
  )
}
