import { ArrowLeft, Search, X } from 'lucide-react'
import { Suspense, useRef, useState, type ReactNode } from 'react'
import { flushSync } from 'react-dom'
import { useTranslation } from 'react-i18next'
import { classNames } from '../../lib/class-names.ts'
import { handleLink } from '../../lib/handle-link.ts'
import { SETTINGS_PAGES, type SettingsPage } from '../../lib/router.ts'
import { IconButton } from '../../ui/controls/icon-button.tsx'
import { FoldedNav } from '../../ui/layout/folded-nav.tsx'
import { LeaveGuard } from '../../ui/dialogs/leave-guard.tsx'
import { PageHead } from '../../ui/lists/page-head.tsx'
import { ScopeBadge } from './scope-badge.tsx'
import { SETTINGS_ICONS, SettingsLink } from './settings-link.tsx'
import { SettingsPages, type Offered } from './settings-pages.tsx'
import {
  findSettings,
  isElsewhere,
  PLACES_ELSEWHERE,
  type SettingsTarget,
} from './settings-index.ts'
import { lazyPart } from '../../lib/lazy-part.ts'

const FoundSettings = lazyPart(() => import('./found-settings.tsx'), 'FoundSettings')

/** Pages with tables, which need more width. */
const WIDE_PAGES: readonly SettingsPage[] = ['users', 'analytics', 'requests', 'api']

function Found({
  query,
  page,
  shown,
}: {
  query: string
  page: SettingsPage
  shown: readonly SettingsPage[]
}) {
  const { t } = useTranslation()
  const entries = findSettings(query, (entry) => ({
    name: `${t(entry.label)} ${isElsewhere(entry.page) ? '' : t(`settings.pages.${entry.page}`)}`,
    words: 'words' in entry ? t(`settingWords.${entry.words}`) : '',
    // Guests have no account, no tools and no trash.
  })).filter(({ page: target }) =>
    shown.includes(isElsewhere(target) ? PLACES_ELSEWHERE[target] : target),
  )
  const [further, setFurther] = useState(0)
  /** Name of the page, unless it is that of the entry. */
  const placeOf = (target: SettingsTarget, label: string): string | undefined => {
    if (target === 'trash') return undefined
    const name = t(isElsewhere(target) ? 'workspace.title' : `settings.pages.${target}`)
    return name === label ? undefined : name
  }
  return (
    <>
      {entries.map((entry) => (
        <SettingsLink
          key={entry.label}
          page={entry.page}
          current={entry.page === page}
          text={placeOf(entry.page, t(entry.label))}
        >
          {t(entry.label)}
        </SettingsLink>
      ))}
      {shown.includes('gateway') && (
        <Suspense>
          <FoundSettings query={query} onFound={setFurther} />
        </Suspense>
      )}
      {entries.length + further === 0 && (
        <p className="px-2.5 py-2 text-small text-muted">{t('settings.nothingFound')}</p>
      )}
    </>
  )
}

interface SettingsLayoutProps {
  readonly page: SettingsPage
  /** Returns true for pages available to this user. */
  readonly offered: Offered
  /** URL of the back link. */
  readonly backTo: string
  readonly children: ReactNode
}

/** Layout of the settings: pages at the side, one page in the middle, and a search box. */
export function SettingsLayout({ page, offered, backTo, children }: SettingsLayoutProps) {
  const { t } = useTranslation()
  const [query, setQuery] = useState('')
  const [isSearchShown, setSearchShown] = useState(false)
  const box = useRef<HTMLInputElement>(null)
  const magnifier = useRef<HTMLButtonElement>(null)
  const [reached, setReached] = useState(page)
  if (reached !== page) {
    setReached(page)
    if (isSearchShown) {
      setSearchShown(false)
      setQuery('')
    }
  }
  const isSearching = query.trim() !== ''
  /** Shows or hides the search box of phones; the focus goes along at once, for their keyboard. */
  const showSearch = (isShown: boolean): void => {
    flushSync(() => {
      setSearchShown(isShown)
      if (!isShown) setQuery('')
    })
    ;(isShown ? box : magnifier).current?.focus()
  }
  const shown = SETTINGS_PAGES.filter(offered)
  return (
    <div className="flex h-full flex-col md:flex-row">
      <aside className="relative flex shrink-0 gap-2 border-line bg-sidebar px-2 pb-2 max-md:items-center max-md:border-b max-md:pt-2 md:w-sidebar md:flex-col md:border-e">
        <div className="contents md:flex md:flex-col md:items-stretch md:gap-2">
          <a
            href={backTo}
            onClick={handleLink}
            className="inline-flex h-control shrink-0 items-center gap-2 rounded-medium px-2.5 font-medium text-muted no-underline hover:bg-hover hover:text-ink max-md:min-w-control max-md:justify-center md:my-1.5 md:self-start pointer-coarse:min-h-11 pointer-coarse:min-w-11"
          >
            <ArrowLeft className="size-4 rtl:-scale-x-100" />
            <span className="max-md:sr-only">{t('settings.back')}</span>
          </a>
          <search
            className={classNames(
              'relative block min-w-0 flex-1 px-0.5 md:flex-none',
              !isSearchShown && 'max-md:hidden',
            )}
          >
            <Search
              aria-hidden="true"
              className="pointer-events-none absolute start-3 top-1/2 size-4 -translate-y-1/2 text-muted"
            />
            <input
              ref={box}
              type="search"
              aria-label={t('settings.search')}
              placeholder={t('settings.searchShort')}
              value={query}
              onChange={(event) => setQuery(event.target.value)}
              onKeyDown={(event) => {
                if (event.key !== 'Escape') return
                if (isSearchShown) showSearch(false)
                else setQuery('')
              }}
              className="h-control w-full rounded-medium border border-transparent bg-hover ps-8.5 pe-2 text-ui text-ellipsis focus-visible:border-accent focus-visible:bg-raised focus-visible:outline-1 focus-visible:-outline-offset-1 pointer-coarse:min-h-11"
            />
          </search>
        </div>
        <IconButton
          ref={magnifier}
          label={t(isSearchShown ? 'common.close' : 'settings.search')}
          icon={isSearchShown ? <X /> : <Search />}
          aria-expanded={isSearchShown}
          onClick={() => showSearch(!isSearchShown)}
          className="order-last md:hidden"
        />
        <FoldedNav
          label={t('settings.title')}
          from="md"
          isOpen={isSearching}
          isCovered={isSearchShown}
          className={classNames('min-w-0 md:min-h-0 md:flex-1', !isSearchShown && 'max-md:flex-1')}
          current={
            <>
              {SETTINGS_ICONS[page]}
              <span className="truncate">{t(`settings.pages.${page}`)}</span>
            </>
          }
        >
          <div className="flex flex-col gap-px md:h-full md:overflow-x-hidden md:overflow-y-auto">
            {isSearching && <Found query={query} page={page} shown={shown} />}
            {/* Stays mounted, so that it remembers which topics are open. */}
            <div className={isSearching ? 'hidden' : 'contents'}>
              <SettingsPages page={page} offered={offered} />
            </div>
          </div>
        </FoldedNav>
      </aside>
      <main className="min-h-0 min-w-0 flex-1 overflow-y-auto bg-page">
        <div
          className={classNames(
            'mx-auto w-full px-4 pt-4 pb-16 sm:px-5 md:px-8 md:pt-8',
            WIDE_PAGES.includes(page) ? 'max-w-5xl' : 'max-w-2xl',
          )}
        >
          <PageHead
            title={t(`settings.pages.${page}`)}
            badge={<ScopeBadge page={page} />}
            isNamedAbove
          >
            <LeaveGuard key={page}>{children}</LeaveGuard>
          </PageHead>
        </div>
      </main>
    </div>
  )
}
