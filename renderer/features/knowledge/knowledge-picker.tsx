import '../../lib/strings/knowledge.ts'
import { BookOpenText, FileText, Plus, Search, X } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isAborted, toSentence } from '../../api/api-error.ts'
import { call, endpoints } from '../../api/client.ts'
import { Button } from '../../ui/controls/button.tsx'
import { EmptyState } from '../../ui/layout/empty-state.tsx'
import { IconButton } from '../../ui/controls/icon-button.tsx'
import { Popover } from '../../ui/floating/popover.tsx'
import { SearchBox } from '../../ui/fields/search-box.tsx'
import { PageWait } from '../../ui/layout/page-wait.tsx'

/** An attached entry; fields of other clients are preserved. */
interface GivenEntry {
  readonly type: string
  readonly id: string
  readonly name: string
}

interface Choices {
  readonly collections: readonly GivenEntry[]
  readonly files: readonly GivenEntry[]
}

const WAIT = 180
const MOST_FILES = 20

const isEntry = (value: unknown): value is GivenEntry =>
  typeof (value as { id?: unknown } | null)?.id === 'string'

const toList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

async function findChoices(query: string, signal: AbortSignal): Promise<Choices> {
  const asked = query.trim() || undefined
  const [collections, files] = await Promise.all([
    call(endpoints.knowledge.list, { query: { query: asked } }, { signal }),
    call(
      endpoints.files.list,
      { query: { query: asked, content: false, status: 'completed' } },
      { signal },
    ),
  ])
  return {
    collections: collections.items.map(({ id, name }) => ({ type: 'collection', id, name })),
    files: files.items
      .slice(0, MOST_FILES)
      .map(({ id, filename }) => ({ type: 'file', id, name: filename })),
  }
}

function useChoices(query: string): { choices: Choices | null; problem: string | null } {
  const [choices, setChoices] = useState<Choices | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  useEffect(() => {
    const abort = new AbortController()
    const find = async (): Promise<void> => {
      try {
        setChoices(await findChoices(query, abort.signal))
        setProblem(null)
      } catch (thrown) {
        if (!isAborted(thrown)) setProblem(toSentence(thrown))
      }
    }
    const timer = setTimeout(() => void find(), query ? WAIT : 0)
    return () => {
      clearTimeout(timer)
      abort.abort()
    }
  }, [query])
  return { choices, problem }
}

function Group({
  title,
  entries,
  onChoose,
}: {
  title: string
  entries: readonly GivenEntry[]
  onChoose: (entry: GivenEntry) => void
}) {
  if (entries.length === 0) return null
  return (
    <section aria-label={title}>
      <h3 className="px-2.5 pt-2 pb-1 text-small font-medium text-muted">{title}</h3>
      <ul>
        {entries.map((entry) => (
          <li key={entry.id}>
            <button
              type="button"
              onClick={() => onChoose(entry)}
              className="flex min-h-8 w-full items-center gap-2 rounded-small px-2.5 text-start hover:bg-hover pointer-coarse:min-h-11"
            >
              <EntryIcon type={entry.type} />
              <bdi className="min-w-0 truncate">{entry.name}</bdi>
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}

function EntryIcon({ type }: { type: string }) {
  const Icon = type === 'file' ? FileText : BookOpenText
  return <Icon aria-hidden="true" className="size-4 shrink-0 text-muted" />
}

function ChoiceList({
  known,
  onChoose,
}: {
  known: ReadonlySet<string>
  onChoose: (entry: GivenEntry) => void
}) {
  const { t } = useTranslation()
  const [query, setQuery] = useState('')
  const { choices, problem } = useChoices(query)
  const collections = choices?.collections.filter(({ id }) => !known.has(id)) ?? []
  const files = choices?.files.filter(({ id }) => !known.has(id)) ?? []
  const hasNone = choices !== null && collections.length === 0 && files.length === 0
  return (
    <div className="flex max-h-96 flex-col p-2">
      <SearchBox label={t('knowledge.picker.find')} value={query} onChange={setQuery} />
      <div className="mt-1 min-h-32 flex-1 overflow-y-auto">
        {choices === null && problem === null && <PageWait shape="lines" />}
        {problem !== null && (
          <EmptyState title={t('knowledge.picker.failed')}>{problem}</EmptyState>
        )}
        {hasNone && problem === null && (
          <EmptyState
            icon={<Search />}
            title={t(query ? 'knowledge.picker.nothing' : 'knowledge.picker.empty')}
          />
        )}
        <Group
          title={t('knowledge.picker.collections')}
          entries={collections}
          onChoose={onChoose}
        />
        <Group title={t('knowledge.picker.files')} entries={files} onChoose={onChoose} />
      </div>
    </div>
  )
}

interface KnowledgePickerProps {
  /** List as stored. */
  readonly value: unknown
  readonly onChange: (entries: readonly unknown[]) => void
}

/** Selects collections and files that are attached to every question. */
export function KnowledgePicker({ value, onChange }: KnowledgePickerProps) {
  const { t } = useTranslation()
  const [adding, setAdding] = useState(false)
  // Entries stored by other clients in other formats are kept in the list, but not shown.
  const all = toList(value)
  const entries = all.filter(isEntry)
  const add = (entry: GivenEntry): void => {
    setAdding(false)
    onChange([...all, entry])
  }
  return (
    <div className="flex flex-col items-start gap-3">
      {entries.length === 0 ? (
        <p className="text-small text-muted">{t('knowledge.picker.none')}</p>
      ) : (
        <ul
          aria-label={t('knowledge.picker.title')}
          className="w-full divide-y divide-line rounded-medium border border-line"
        >
          {entries.map((entry) => (
            <li key={entry.id} className="flex min-h-11 items-center gap-2.5 ps-3 pe-1.5">
              <EntryIcon type={entry.type} />
              <bdi className="min-w-0 flex-1 truncate">{entry.name || entry.id}</bdi>
              <IconButton
                label={t('knowledge.picker.removeOf', { name: entry.name || entry.id })}
                icon={<X />}
                onClick={() => onChange(all.filter((each) => each !== entry))}
              />
            </li>
          ))}
        </ul>
      )}
      <Popover
        open={adding}
        onOpenChange={setAdding}
        label={t('knowledge.picker.addTitle')}
        className="w-80"
        trigger={<Button icon={<Plus className="size-4" />}>{t('knowledge.picker.add')}</Button>}
      >
        <ChoiceList known={new Set(entries.map(({ id }) => id))} onChoose={add} />
      </Popover>
    </div>
  )
}
