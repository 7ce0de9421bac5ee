import { Ellipsis, Plus, Search } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../controls/button.tsx'
import { EmptyState } from '../layout/empty-state.tsx'
import { IconButton } from '../controls/icon-button.tsx'
import { Menu } from '../floating/menu.tsx'
import { SearchBox } from '../fields/search-box.tsx'
import { Spinner } from '../marks/spinner.tsx'
import { EmptyList } from './empty-list.tsx'
import { FailedLine } from './failed-line.tsx'
import { LoadingRows, type LoadingKind } from './loading-rows.tsx'
import { HeadTools } from './page-head.tsx'

/** Load state of the entries. */
export interface ListLoad {
  readonly status: 'idle' | 'loading' | 'ready' | 'failed'
  readonly problem: string | null
  /** Title that names the failed content. */
  readonly failedTitle: string
  readonly onRetry: () => void
}

export interface ListPageProps {
  /** Description of the page. */
  readonly text: ReactNode
  readonly load: ListLoad
  /** The list that the placeholder stands for while it is loaded, unless it has plain entries. */
  readonly loadingKind?: LoadingKind
  /** Total number of entries, regardless of filters. */
  readonly total: number
  /** Number of entries shown. */
  readonly shown: number
  /** True if a search or filter hides some of them. */
  readonly isNarrowed: boolean
  /** The primary button of the page; absent for users without the permission. */
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
  /** Controls beside the search box: filter and order. */
  readonly choices?: ReactNode
  /** Filters on a separate line, such as tags. */
  readonly tags?: ReactNode
  readonly empty: {
    readonly icon?: ReactNode
    readonly picture?: ReactNode
    readonly title: string
    readonly text?: ReactNode
    /** Begins with something that works as it is. */
    readonly onExample?: () => void
  }
  readonly noMatch: string
  /** Suggestion for another search. */
  readonly noMatchHint?: string
  /** Content before the list, such as a note about the whole page. */
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
 * A page consisting of a list: its description, count and primary button beside the title, search
 * and filters above the entries, and placeholders for loading, failure, an empty list and no
 * matches.
 */
export function ListPage(props: ListPageProps) {
  const { text, load, total, shown, isNarrowed, search, choices, tags, empty, noMatch } = props
  const { t } = useTranslation()
  const isEmpty = load.status === 'ready' && total === 0 && !isNarrowed
  const hasEntries = total > 0 || isNarrowed
  return (
    <div className="flex flex-col gap-4">
      <Tools props={props} isEmpty={isEmpty} />
      <p className="max-w-prose text-pretty text-muted md:-mt-2">{text}</p>
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
      {(load.status === 'loading' || load.status === 'idle') && shown === 0 && (
        <LoadingRows kind={props.loadingKind} />
      )}
      {isEmpty && (
        <EmptyList
          icon={empty.icon}
          picture={empty.picture}
          title={empty.title}
          action={
            props.primary && (
              <>
                <PrimaryButton {...props.primary} />
                {empty.onExample && (
                  <Button onClick={empty.onExample}>{t('lists.fromExample')}</Button>
                )}
              </>
            )
          }
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
