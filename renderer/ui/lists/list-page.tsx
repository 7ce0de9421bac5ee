import { Ellipsis, Plus, Search } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../button.tsx'
import { EmptyState } from '../empty-state.tsx'
import { IconButton } from '../icon-button.tsx'
import { Menu } from '../menu.tsx'
import { SearchBox } from '../search-box.tsx'
import { Spinner } from '../spinner.tsx'
import { EmptyList } from './empty-list.tsx'
import { FailedLine } from './failed-line.tsx'
import { HeadTools } from './page-head.tsx'

const SKELETON = ['w-40', 'w-56', 'w-32'] as const

/** Stands where entries will be in a moment; it shows only when the moment is long. */
function LoadingRows() {
  const { t } = useTranslation()
  return (
    <div className="animate-late rounded-large border border-line">
      <p className="sr-only">{t('common.loading')}</p>
      {SKELETON.map((width) => (
        <div
          key={width}
          aria-hidden="true"
          className="flex items-center gap-3 px-4 py-3 not-first:border-t"
        >
          <span className="size-9 rounded-medium bg-hover" />
          <span className="flex flex-col gap-1.5">
            <span className={`h-3.5 rounded-small bg-hover ${width}`} />
            <span className="h-3 w-24 rounded-small bg-hover" />
          </span>
        </div>
      ))}
    </div>
  )
}

/** How far the entries have come. */
export interface ListLoad {
  readonly status: 'idle' | 'loading' | 'ready' | 'failed'
  readonly problem: string | null
  /** What could not be loaded. */
  readonly failedTitle: string
  readonly onRetry: () => void
}

export interface ListPageProps {
  /** What belongs to this page. */
  readonly text: ReactNode
  readonly load: ListLoad
  /** How many entries there are, whatever the list is narrowed to. */
  readonly total: number
  /** How many of them are shown. */
  readonly shown: number
  /** Whether a search or a choice leaves some of them out. */
  readonly isNarrowed: boolean
  /** The one main button of the page; absent for those who may not. */
  readonly primary?: {
    readonly label: string
    readonly icon?: ReactNode
    readonly busy?: boolean
    readonly onSelect: () => void
  } | null
  /** Lines of the menu beside it. */
  readonly more?: ReactNode
  readonly isMoreBusy?: boolean
  readonly search?: {
    readonly label: string
    readonly value: string
    readonly onChange: (query: string) => void
  }
  /** Choices beside the search box: what is shown and in which order. */
  readonly choices?: ReactNode
  /** Choices in a line of their own, such as tags. */
  readonly tags?: ReactNode
  readonly empty: { readonly icon: ReactNode; readonly title: string; readonly text?: ReactNode }
  readonly noMatch: string
  /** What else could be tried. */
  readonly noMatchHint?: string
  /** What is said before the list, such as a note about the whole page. */
  readonly note?: ReactNode
  readonly children: ReactNode
}

function Tools({ props, isEmpty }: { props: ListPageProps; isEmpty: boolean }) {
  const { t } = useTranslation()
  const { load, total, primary, more, isMoreBusy } = props
  return (
    <HeadTools count={load.status === 'ready' && !isEmpty ? total : null}>
      {more && (
        <Menu
          trigger={
            <IconButton
              label={t('lists.more')}
              icon={isMoreBusy ? <Spinner /> : <Ellipsis />}
              disabled={isMoreBusy}
            />
          }
        >
          {more}
        </Menu>
      )}
      {primary && !isEmpty && <PrimaryButton {...primary} />}
    </HeadTools>
  )
}

function PrimaryButton({ label, icon, busy, onSelect }: NonNullable<ListPageProps['primary']>) {
  return (
    <Button
      tone="primary"
      icon={icon ?? <Plus className="size-4" />}
      busy={busy}
      onClick={onSelect}
    >
      {label}
    </Button>
  )
}

/**
 * A page whose matter is a list: what it is for, the count and the main button beside the title,
 * search and choices over the entries, and what stands there while they load, when they did not
 * come, when there are none and when none fits.
 */
export function ListPage(props: ListPageProps) {
  const { text, load, total, shown, isNarrowed, search, choices, tags, empty, noMatch } = props
  const isEmpty = load.status === 'ready' && total === 0 && !isNarrowed
  const hasEntries = total > 0 || isNarrowed
  return (
    <div className="flex flex-col gap-4">
      <Tools props={props} isEmpty={isEmpty} />
      <p className="max-w-prose text-pretty text-muted">{text}</p>
      {props.note}
      {hasEntries && (search || choices) && (
        <div className="flex flex-wrap gap-2">
          {search && (
            <div className="min-w-0 flex-1 basis-40 sm:basis-56">
              <SearchBox {...search} />
            </div>
          )}
          {choices && (
            <div className="flex min-w-0 flex-wrap gap-2 max-sm:*:flex-1 max-sm:*:basis-36">
              {choices}
            </div>
          )}
        </div>
      )}
      {hasEntries && tags}
      {load.status === 'failed' && (
        <FailedLine title={load.failedTitle} problem={load.problem} onRetry={load.onRetry} />
      )}
      {(load.status === 'loading' || load.status === 'idle') && shown === 0 && <LoadingRows />}
      {isEmpty && (
        <EmptyList
          icon={empty.icon}
          title={empty.title}
          action={props.primary && <PrimaryButton {...props.primary} />}
        >
          {empty.text}
        </EmptyList>
      )}
      {load.status === 'ready' && shown === 0 && !isEmpty && (
        <EmptyState icon={<Search />} title={noMatch}>
          {props.noMatchHint}
        </EmptyState>
      )}
      {shown > 0 && props.children}
    </div>
  )
}
