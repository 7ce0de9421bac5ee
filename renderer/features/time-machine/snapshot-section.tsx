import {
  ArrowLeft,
  BookOpenText,
  CalendarDays,
  CalendarRange,
  FileText,
  Folder,
  MessageSquare,
  SquareSlash,
} from 'lucide-react'
import { useEffect, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type {
  RestoreProgress,
  SnapshotContents,
  SnapshotKind,
  SnapshotLine,
} from '#contract/time-machine.ts'
import { toSentence } from '../../api/api-error.ts'
import { call, endpoints } from '../../api/client.ts'
import { useAction } from '../../api/use-action.ts'
import { formatMoment } from '../../lib/format-time.ts'
import { navigate, toPath } from '../../lib/router.ts'
import { Badge } from '../../ui/marks/badge.tsx'
import { snapshotPath } from '../../lib/viewed-snapshot.ts'
import { Button, ButtonLink } from '../../ui/controls/button.tsx'
import { EmptyState } from '../../ui/layout/empty-state.tsx'
import { FormProblem } from '../../ui/dialogs/form-problem.tsx'
import { ListRow, Rows } from '../../ui/lists/list-row.tsx'
import { PageSection } from '../../ui/layout/page-section.tsx'
import { SearchBox } from '../../ui/fields/search-box.tsx'
import { Spinner } from '../../ui/marks/spinner.tsx'
import { toast } from '../../ui/floating/toast.tsx'
import { OldChatDialog } from './old-chat-dialog.tsx'
import { RestoreAll } from './restore-all.tsx'

type Item = SnapshotContents['notes'][number]

const GROUPS = [
  { group: 'chats', kind: 'chat', icon: <MessageSquare /> },
  { group: 'folders', kind: 'folder', icon: <Folder /> },
  { group: 'notes', kind: 'note', icon: <FileText /> },
  { group: 'prompts', kind: 'prompt', icon: <SquareSlash /> },
  { group: 'skills', kind: 'skill', icon: <BookOpenText /> },
  { group: 'calendars', kind: 'calendar', icon: <CalendarRange /> },
  { group: 'events', kind: 'event', icon: <CalendarDays /> },
] as const satisfies readonly {
  group: keyof SnapshotContents
  kind: SnapshotKind
  icon: ReactNode
}[]

/** Number of rows rendered at first; more are rendered on request. */
const ROWS = 50

interface ThingRowProps {
  readonly item: Item
  readonly icon: ReactNode
  readonly onOpen?: () => void
  readonly onBring: () => Promise<void>
}

function ThingRow({ item, icon, onOpen, onBring }: ThingRowProps) {
  const { t } = useTranslation()
  const { busy, problem, run } = useAction(onBring)
  const name = item.title || t('chats.untitled')
  return (
    <ListRow
      icon={icon}
      name={name}
      onOpen={onOpen}
      badges={
        item.state !== 'same' && (
          <Badge tone={item.state === 'gone' ? 'accent' : 'neutral'}>
            {t(`timeMachine.state.${item.state}`)}
          </Badge>
        )
      }
      facts={[formatMoment(item.updated_at)]}
      controls={
        <Button
          busy={busy}
          aria-label={t('timeMachine.bringNamed', { name })}
          onClick={() => void run()}
        >
          {t('timeMachine.bring')}
        </Button>
      }
    >
      {problem !== null && <FormProblem text={problem} />}
    </ListRow>
  )
}

interface GroupProps {
  readonly place: (typeof GROUPS)[number]
  readonly items: readonly Item[]
  readonly onOpen: ((id: string) => void) | undefined
  readonly onBring: (item: Item) => Promise<void>
}

function Group({ place: { group, icon }, items, onOpen, onBring }: GroupProps) {
  const { t } = useTranslation()
  const [shown, setShown] = useState(ROWS)
  if (items.length === 0) return null
  return (
    <PageSection title={t(`timeMachine.${group}`)}>
      <Rows label={t(`timeMachine.${group}`)}>
        {items.slice(0, shown).map((item) => (
          <ThingRow
            key={item.id}
            item={item}
            icon={icon}
            onOpen={onOpen && (() => onOpen(item.id))}
            onBring={() => onBring(item)}
          />
        ))}
      </Rows>
      {items.length > shown && (
        <Button className="mt-3" onClick={() => setShown(shown + ROWS)}>
          {t('timeMachine.more')}
        </Button>
      )}
    </PageSection>
  )
}

function useContents(snapshotId: string) {
  const [contents, setContents] = useState<SnapshotContents | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  useEffect(() => {
    let isWanted = true
    call(endpoints.timeMachine.contents, { params: { snapshot_id: snapshotId } }).then(
      (read) => isWanted && setContents(read),
      (thrown: unknown) => isWanted && setProblem(toSentence(thrown)),
    )
    return () => {
      isWanted = false
    }
  }, [snapshotId])
  return { contents, problem }
}

interface SnapshotSectionProps {
  readonly snapshot: SnapshotLine
  readonly onBack: () => void
  readonly onBroughtBack: (kind: SnapshotKind) => void
  /** Called when a full restore has started; undefined for users without the permission. */
  readonly onRestoring: ((progress: RestoreProgress) => void) | undefined
}

/** The user's data in a snapshot, which can be viewed and restored. */
export function SnapshotSection({
  snapshot,
  onBack,
  onBroughtBack,
  onRestoring,
}: SnapshotSectionProps) {
  const { t } = useTranslation()
  const { contents, problem } = useContents(snapshot.id)
  const [query, setQuery] = useState('')
  const [read, setRead] = useState<string | null>(null)
  const words = query.trim().toLocaleLowerCase()
  const find = (items: readonly Item[]): readonly Item[] =>
    items.filter(({ title }) => title.toLocaleLowerCase().includes(words))
  const bring = async (kind: SnapshotKind, { id, title }: Item): Promise<void> => {
    const back = await call(endpoints.timeMachine.bringBack, {
      params: { snapshot_id: snapshot.id },
      body: { kind, id },
    })
    onBroughtBack(kind)
    const missing = back.missing_files
    const text = t('timeMachine.broughtBack', { name: title || t('chats.untitled') })
    toast({
      ...(missing > 0 && { tone: 'warning' as const }),
      text: missing > 0 ? `${text} · ${t('timeMachine.missingFiles', { count: missing })}` : text,
      ...(kind === 'chat' && {
        action: {
          label: t('timeMachine.open'),
          onSelect: () => navigate(toPath({ name: 'chat', chatId: back.id, message: null })),
        },
      }),
    })
  }
  const isEmpty = contents !== null && GROUPS.every(({ group }) => contents[group].length === 0)
  const hasMatch = contents !== null && GROUPS.some(({ group }) => find(contents[group]).length > 0)
  return (
    <>
      <Button tone="quiet" className="mb-4" onClick={onBack}>
        <ArrowLeft className="size-4 rtl:-scale-x-100" />
        {t('timeMachine.back')}
      </Button>
      <div className="mb-4 flex flex-wrap items-center gap-x-4 gap-y-2">
        <h2 className="min-w-0 flex-1 text-head-1 font-semibold">
          {t('timeMachine.asOf', { moment: formatMoment(snapshot.created_at) })}
        </h2>
        <ButtonLink href={snapshotPath(snapshot.id)}>{t('timeMachine.look')}</ButtonLink>
      </div>
      <FormProblem text={problem} />
      {contents === null && problem === null && (
        <output className="flex items-center gap-3 text-muted">
          <Spinner /> {t('timeMachine.opening')}
        </output>
      )}
      {isEmpty && <EmptyState title={t('timeMachine.nothing')} />}
      {contents !== null && !isEmpty && (
        <>
          <div className="mb-6">
            <SearchBox label={t('timeMachine.search')} value={query} onChange={setQuery} />
          </div>
          {!hasMatch && <p className="text-muted">{t('timeMachine.noMatch')}</p>}
          {GROUPS.map((place) => (
            <Group
              key={place.group}
              place={place}
              items={find(contents[place.group])}
              onOpen={place.kind === 'chat' ? setRead : undefined}
              onBring={(item) => bring(place.kind, item)}
            />
          ))}
        </>
      )}
      {contents !== null && onRestoring && <RestoreAll snapshot={snapshot} onBegun={onRestoring} />}
      {read !== null && (
        <OldChatDialog snapshot={snapshot} chatId={read} onClose={() => setRead(null)} />
      )}
    </>
  )
}
