import {
  Activity,
  AppWindow,
  ArrowDownUp,
  ArrowLeft,
  AudioLines,
  BookOpen,
  BookUser,
  Brain,
  ChartColumn,
  ChevronDown,
  Cpu,
  FileSearch,
  History,
  Image,
  Info,
  KeyRound,
  ListChecks,
  LogIn,
  Megaphone,
  Paintbrush,
  Plug,
  Search,
  ShieldCheck,
  SlidersHorizontal,
  Speech,
  SquareTerminal,
  Stethoscope,
  TabletSmartphone,
  UserRound,
  UserRoundCog,
  UsersRound,
  Webhook,
  Wrench,
} from 'lucide-react'
import { lazy, Suspense, useId, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { classNames } from '../../lib/class-names.ts'
import { handleLink } from '../../lib/handle-link.ts'
import { SETTINGS_PAGES, type SettingsPage } from '../../lib/router.ts'
import { FoldedNav } from '../../ui/layout/folded-nav.tsx'
import { LeaveGuard } from '../../ui/dialogs/leave-guard.tsx'
import { PageHead } from '../../ui/lists/page-head.tsx'
import { ScopeBadge } from './scope-badge.tsx'
import { findSettings, pathOf, type SettingsTarget } from './settings-index.ts'

const FoundSettings = lazy(async () => ({
  default: (await import('./found-settings.tsx')).FoundSettings,
}))

const ICONS: Record<SettingsTarget, ReactNode> = {
  tools: <Wrench />,
  account: <UserRound />,
  appearance: <Paintbrush />,
  voice: <AudioLines />,
  speech: <Speech />,
  memories: <Brain />,
  connections: <Plug />,
  doctor: <Stethoscope />,
  'local-models': <Cpu />,
  sharing: <TabletSmartphone />,
  outgoing: <ShieldCheck />,
  desktop: <AppWindow />,
  keys: <KeyRound />,
  data: <ArrowDownUp />,
  'time-machine': <History />,
  gateway: <SlidersHorizontal />,
  code: <SquareTerminal />,
  documents: <FileSearch />,
  pictures: <Image />,
  announcements: <Megaphone />,
  users: <UserRoundCog />,
  groups: <UsersRound />,
  permissions: <ListChecks />,
  directory: <BookUser />,
  'single-sign-on': <LogIn />,
  analytics: <ChartColumn />,
  requests: <Activity />,
  webhooks: <Webhook />,
  api: <BookOpen />,
  about: <Info />,
}

/** Pages by topic. Headings are shown only to those who have pages of more than one topic. */
const SECTIONS: readonly {
  readonly key: 'personal' | 'models' | 'people' | 'system' | 'activity'
  readonly pages: readonly SettingsPage[]
}[] = [
  {
    key: 'personal',
    pages: [
      'account',
      'appearance',
      'voice',
      'memories',
      'keys',
      'data',
      'time-machine',
      'desktop',
    ],
  },
  {
    key: 'models',
    pages: ['connections', 'doctor', 'local-models', 'documents', 'pictures', 'speech', 'code'],
  },
  {
    key: 'people',
    pages: ['users', 'groups', 'permissions', 'single-sign-on', 'directory'],
  },
  { key: 'system', pages: ['gateway', 'sharing', 'outgoing', 'announcements'] },
  { key: 'activity', pages: ['analytics', 'requests', 'webhooks', 'api'] },
]
type Section = (typeof SECTIONS)[number]

/** Pages with tables, which need more width. */
const WIDE_PAGES: readonly SettingsPage[] = ['users', 'analytics', 'requests', 'api']

type Offered = (page: SettingsPage) => boolean

interface PageLinkProps {
  readonly page: SettingsTarget
  readonly current: boolean
  /** Text below the name. */
  readonly text?: string | undefined
  readonly children: ReactNode
}

/**
 * Scrolls to the link, as the list is taller than most windows. `scrollIntoView` is missing in
 * windows without layout.
 */
const showInList = (link: HTMLAnchorElement | null): void =>
  link?.scrollIntoView?.({ block: 'nearest' })

function PageLink({ page, current, text, children }: PageLinkProps) {
  const id = useId()
  return (
    <a
      ref={current ? showInList : undefined}
      href={pathOf(page)}
      onClick={handleLink}
      aria-current={current ? 'page' : undefined}
      aria-describedby={text === undefined ? undefined : id}
      className={classNames(
        'flex min-h-control shrink-0 items-center gap-2.5 rounded-medium px-2.5 py-1 no-underline transition-colors duration-(--motion-in) focus-visible:-outline-offset-2 pointer-coarse:min-h-11 [&>svg]:size-4 [&>svg]:shrink-0',
        current
          ? 'bg-pressed font-medium [&>svg]:text-accent'
          : 'text-ink hover:bg-hover [&>svg]:text-muted',
      )}
    >
      {ICONS[page]}
      <span className="min-w-0 hyphens-auto wrap-break-word">
        {children}
        {text !== undefined && (
          <span id={id} aria-hidden="true" className="block text-small font-normal text-muted">
            {text}
          </span>
        )}
      </span>
    </a>
  )
}

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
    name: `${t(entry.label)} ${entry.page === 'tools' ? '' : t(`settings.pages.${entry.page}`)}`,
    words: 'words' in entry ? t(`settingWords.${entry.words}`) : '',
    // Guests have no account and no tools.
  })).filter(({ page: target }) => shown.includes(target === 'tools' ? 'account' : target))
  const [further, setFurther] = useState(0)
  /** Name of the page, unless it is that of the entry. */
  const placeOf = (target: SettingsTarget, label: string): string | undefined => {
    const name = t(target === 'tools' ? 'workspace.title' : `settings.pages.${target}`)
    return name === label ? undefined : name
  }
  return (
    <>
      {entries.map((entry) => (
        <PageLink
          key={entry.label}
          page={entry.page}
          current={entry.page === page}
          text={placeOf(entry.page, t(entry.label))}
        >
          {t(entry.label)}
        </PageLink>
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

interface FoldableSectionProps {
  readonly section: Section
  readonly page: SettingsPage
  readonly isOpen: boolean
  readonly onToggle: () => void
}

/** A topic with its pages; a folded one names them in a line, so that it need not be opened. */
function FoldableSection({
  section: { key, pages },
  page,
  isOpen,
  onToggle,
}: FoldableSectionProps) {
  const { t } = useTranslation()
  const id = useId()
  const names = pages.map((each) => t(`settings.pages.${each}`)).join(' · ')
  return (
    <div className="mb-1.5 flex shrink-0 flex-col gap-px">
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={onToggle}
        className={classNames(
          'flex w-full items-center gap-2 rounded-medium px-2.5 py-1.5 text-start hover:bg-hover focus-visible:-outline-offset-2 pointer-coarse:min-h-11',
          isOpen && 'text-muted',
        )}
      >
        <span className="min-w-0 flex-1">
          <span className="block text-small font-semibold">{t(`settings.sections.${key}`)}</span>
          {!isOpen && (
            <span aria-hidden="true" className="block truncate text-small text-muted">
              {names}
            </span>
          )}
        </span>
        <ChevronDown
          aria-hidden="true"
          className={classNames(
            'size-3.5 shrink-0 text-muted transition-transform duration-(--motion-in)',
            !isOpen && '-rotate-90 rtl:rotate-90',
          )}
        />
      </button>
      <div id={id} hidden={!isOpen} className={isOpen ? 'flex flex-col gap-px' : undefined}>
        {pages.map((each) => (
          <PageLink key={each} page={each} current={each === page}>
            {t(`settings.pages.${each}`)}
          </PageLink>
        ))}
      </div>
    </div>
  )
}

/** All pages. The topics visited are open until they are folded by hand. */
function Pages({ page, offered }: { page: SettingsPage; offered: Offered }) {
  const { t } = useTranslation()
  const sections = SECTIONS.map((section) => ({
    ...section,
    pages: section.pages.filter(offered),
  })).filter(({ pages }) => pages.length > 0)
  const topic = sections.find(({ pages }) => pages.includes(page))?.key
  const [open, setOpen] = useState<readonly (Section['key'] | undefined)[]>([topic])
  const [reached, setReached] = useState(page)
  if (reached !== page) {
    setReached(page)
    // The other topics stay as they are, so that the list does not move under the pointer.
    if (!open.includes(topic)) setOpen([...open, topic])
  }
  const link = (each: SettingsPage): ReactNode => (
    <PageLink key={each} page={each} current={each === page}>
      {t(`settings.pages.${each}`)}
    </PageLink>
  )
  return (
    <>
      {sections.length === 1
        ? sections[0]?.pages.map(link)
        : sections.map((section) => {
            const { key } = section
            const isOpen = open.includes(key)
            return (
              <FoldableSection
                key={key}
                section={section}
                page={page}
                isOpen={isOpen}
                onToggle={() =>
                  setOpen(isOpen ? open.filter((each) => each !== key) : [...open, key])
                }
              />
            )
          })}
      {offered('about') && link('about')}
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
  const isSearching = query.trim() !== ''
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
            <ArrowLeft aria-hidden="true" className="size-4 rtl:-scale-x-100" />
            <span className="max-md:sr-only">{t('settings.back')}</span>
          </a>
          <search className="relative order-last block min-w-0 flex-1 px-0.5 md:order-none md:flex-none">
            <Search
              aria-hidden="true"
              className="pointer-events-none absolute start-3 top-1/2 size-4 -translate-y-1/2 text-muted"
            />
            <input
              type="search"
              aria-label={t('settings.search')}
              placeholder={t('settings.searchShort')}
              value={query}
              onChange={(event) => setQuery(event.target.value)}
              onKeyDown={(event) => event.key === 'Escape' && setQuery('')}
              className="h-control w-full rounded-medium border border-transparent bg-hover ps-8.5 pe-2 text-ui text-ellipsis focus-visible:border-accent focus-visible:bg-raised focus-visible:outline-1 focus-visible:-outline-offset-1 pointer-coarse:min-h-11"
            />
          </search>
        </div>
        <FoldedNav
          label={t('settings.title')}
          from="md"
          isOpen={isSearching}
          className="min-w-0 max-md:max-w-1/2 max-md:shrink-0 md:min-h-0 md:flex-1"
          current={
            <>
              {ICONS[page]}
              <span className="truncate">{t(`settings.pages.${page}`)}</span>
            </>
          }
        >
          <div className="flex flex-col gap-px md:h-full md:overflow-x-hidden md:overflow-y-auto">
            {isSearching && <Found query={query} page={page} shown={shown} />}
            {/* Stays mounted, so that it remembers which topics are open. */}
            <div className={isSearching ? 'hidden' : 'contents'}>
              <Pages page={page} offered={offered} />
            </div>
          </div>
        </FoldedNav>
      </aside>
      <main className="min-h-0 min-w-0 flex-1 overflow-y-auto bg-page">
        <div
          className={classNames(
            'mx-auto w-full px-4 pt-4 pb-16 sm:px-5 md:px-8 md:pt-12',
            WIDE_PAGES.includes(page) ? 'max-w-5xl' : 'max-w-2xl',
          )}
        >
          <PageHead title={t(`settings.pages.${page}`)} badge={<ScopeBadge page={page} />}>
            <LeaveGuard key={page}>{children}</LeaveGuard>
          </PageHead>
        </div>
      </main>
    </div>
  )
}
