import '../../lib/strings/areas.ts'
import {
  Blocks,
  Bot,
  CalendarClock,
  CalendarDays,
  FolderOpen,
  GraduationCap,
  BookOpenText,
  NotebookPen,
  Swords,
  Tags,
  SquareSlash,
  Workflow,
} from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import { isAdmin } from '../../features/auth/session-store.ts'
import { classNames } from '../../lib/class-names.ts'
import { handleLink } from '../../lib/handle-link.ts'
import { useMedia } from '../../lib/use-media.ts'
import { WORKSPACE_AREAS, workspacePath, type WorkspaceArea } from '../../lib/router.ts'
import { FoldedNav } from '../../ui/layout/folded-nav.tsx'
import { Tooltip } from '../../ui/floating/tooltip.tsx'
import { LeaveGuard } from '../../ui/dialogs/leave-guard.tsx'
import { PageHead } from '../../ui/lists/page-head.tsx'
import { usePageTitle } from '../../ui/layout/use-page-title.ts'
import { OpenSidebar } from '../shell/open-sidebar.tsx'
import { mayUseAutomations, mayUseCalendar, mayUseNotes } from '../person/permissions.ts'
import { layoutStore, sessionStore } from '../stores.ts'
import { ArenaArea } from '../workspace/arena-area.tsx'
import { AutomationsArea } from '../workspace/automations-area.tsx'
import { CalendarArea } from '../workspace/calendar-area.tsx'
import { FilesArea } from '../workspace/files-area.tsx'
import { KnowledgeArea } from '../workspace/knowledge-area.tsx'
import { ModelsArea } from '../workspace/models-area.tsx'
import { NotesArea } from '../workspace/notes-area.tsx'
import { PluginsArea } from '../workspace/plugins-area.tsx'
import { PricesArea } from '../workspace/prices-area.tsx'
import { SkillsArea } from '../workspace/skills-area.tsx'
import { PromptsArea } from '../workspace/prompts-area.tsx'

/** Areas of daily use come first, those for building and operating after them. */
const GROUPS = [
  { name: 'daily', areas: ['models', 'prompts', 'knowledge', 'notes', 'files', 'calendar'] },
  { name: 'build', areas: ['tools', 'functions', 'skills', 'automations', 'prices', 'arena'] },
] as const satisfies readonly { name: string; areas: readonly WorkspaceArea[] }[]

const ICONS: Record<WorkspaceArea, ReactNode> = {
  models: <Bot />,
  prompts: <SquareSlash />,
  skills: <GraduationCap />,
  automations: <CalendarClock />,
  calendar: <CalendarDays />,
  notes: <NotebookPen />,
  knowledge: <BookOpenText />,
  files: <FolderOpen />,
  tools: <Blocks />,
  functions: <Workflow />,
  arena: <Swords />,
  prices: <Tags />,
}

const CONTENTS: Record<WorkspaceArea, (item: string | null) => ReactNode> = {
  models: (item) => <ModelsArea item={item} />,
  prompts: () => <PromptsArea />,
  skills: () => <SkillsArea />,
  automations: () => <AutomationsArea />,
  calendar: () => <CalendarArea />,
  notes: (item) => <NotesArea item={item} />,
  knowledge: (item) => <KnowledgeArea item={item} />,
  files: () => <FilesArea />,
  tools: (item) => <PluginsArea area="tools" item={item} />,
  functions: (item) => <PluginsArea area="functions" item={item} />,
  arena: () => <ArenaArea />,
  prices: () => <PricesArea />,
}

const ADMIN_AREAS: readonly WorkspaceArea[] = ['functions', 'arena', 'prices']

function useAreas(): readonly WorkspaceArea[] {
  const admin = useStore(sessionStore, isAdmin)
  const hasNotes = useStore(sessionStore, mayUseNotes)
  const hasAutomations = useStore(sessionStore, mayUseAutomations)
  const hasCalendar = useStore(sessionStore, mayUseCalendar)
  return WORKSPACE_AREAS.filter((area) => {
    if (area === 'notes') return hasNotes
    if (area === 'calendar') return hasCalendar
    return area === 'automations' ? hasAutomations : admin || !ADMIN_AREAS.includes(area)
  })
}

interface AreaLinkProps {
  readonly href: string
  readonly icon: ReactNode
  readonly name: string
  /** Description of the area. */
  readonly about: string
  readonly isCurrent: boolean
  /** True in the column beside the page, where the description is a tooltip. */
  readonly isSlim: boolean
}

function AreaLink({ href, icon, name, about, isCurrent, isSlim }: AreaLinkProps) {
  const id = useId()
  const link = (
    <a
      href={href}
      onClick={handleLink}
      aria-current={isCurrent ? 'page' : undefined}
      aria-describedby={id}
      className={classNames(
        'flex h-full w-full gap-2.5 rounded-medium px-2.5 text-ink no-underline transition-colors duration-(--motion-in) focus-visible:-outline-offset-2 pointer-coarse:min-h-11 [&>svg]:size-4 [&>svg]:shrink-0',
        isSlim ? 'min-h-primary items-center' : 'items-start py-1 [&>svg]:mt-0.5',
        isCurrent ? 'bg-pressed [&>svg]:text-accent' : 'hover:bg-hover [&>svg]:text-muted',
      )}
    >
      {icon}
      <span className="min-w-0 flex-1">
        <span className="block font-medium">{name}</span>
        <span
          id={id}
          aria-hidden="true"
          className={isSlim ? 'hidden' : 'block text-small text-muted'}
        >
          {about}
        </span>
      </span>
    </a>
  )
  if (!isSlim) return link
  return (
    <Tooltip text={about} side="right">
      {link}
    </Tooltip>
  )
}

/** The areas stand in a column beside the page from this width on. */
const HAS_COLUMN = '(width >= 80rem)'

interface AreaLinksProps {
  readonly areas: readonly WorkspaceArea[]
  readonly current: WorkspaceArea
  /** True beside an editor, which needs the width. */
  readonly isFolded: boolean
}

function AreaLinks({ areas, current, isFolded }: AreaLinksProps) {
  const { t } = useTranslation()
  const isSlim = useMedia(HAS_COLUMN) && !isFolded
  return (
    <FoldedNav
      label={t('workspace.title')}
      from={isFolded ? 'none' : 'xl'}
      className="min-w-0"
      current={
        <>
          {ICONS[current]}
          <span className="truncate">{t(`workspace.areas.${current}`)}</span>
        </>
      }
    >
      <div
        className={classNames('grid gap-x-4 gap-y-4 sm:grid-cols-2', !isFolded && 'xl:grid-cols-1')}
      >
        {GROUPS.map(({ name, areas: members }) => {
          const shown = members.filter((area) => areas.includes(area))
          if (shown.length === 0) return null
          return (
            <div key={name}>
              <p id={`workspace-${name}`} className="px-2.5 pb-1 text-small font-medium text-muted">
                {t(`workspace.groups.${name}`)}
              </p>
              <ul aria-labelledby={`workspace-${name}`} className="grid gap-px">
                {shown.map((area) => (
                  <li key={area}>
                    <AreaLink
                      href={workspacePath(area)}
                      icon={ICONS[area]}
                      name={t(`workspace.areas.${area}`)}
                      about={t(`areas.about.${area}`)}
                      isCurrent={area === current}
                      isSlim={isSlim}
                    />
                  </li>
                ))}
              </ul>
            </div>
          )
        })}
      </div>
    </FoldedNav>
  )
}

/** Models, prompts, notes and files, as permitted to the signed-in user. */
export function WorkspaceScreen({ area, item }: { area: WorkspaceArea; item: string | null }) {
  const { t } = useTranslation()
  const areas = useAreas()
  const shown = areas.includes(area) ? area : (areas[0] ?? 'models')
  const sidebarOpen = useStore(layoutStore, (state) => state.sidebarOpen)
  // Editors have their own title.
  const isWide = (shown === 'models' || shown === 'tools' || shown === 'functions') && item !== null
  const isEditor = isWide || ((shown === 'notes' || shown === 'knowledge') && Boolean(item))
  // Notes are saved as they are typed, and editors keep drafts.
  const isKept = isEditor && shown !== 'knowledge'
  const title = t(`workspace.areas.${shown}`)
  usePageTitle(title)
  return (
    <div className={classNames('flex h-full flex-col', !isWide && 'xl:flex-row')}>
      <div
        className={classNames(
          'relative z-10 flex min-h-header shrink-0 items-center gap-2 px-2 py-1 pointer-coarse:min-h-12',
          !isWide &&
            'xl:w-50 xl:flex-col xl:items-stretch xl:overflow-y-auto xl:border-e xl:border-line xl:py-3',
        )}
      >
        <span className={classNames('flex', sidebarOpen && 'md:hidden')}>
          <OpenSidebar />
        </span>
        <AreaLinks areas={areas} current={shown} isFolded={isWide} />
      </div>
      <div
        id="messages"
        tabIndex={-1}
        className="min-h-0 min-w-0 flex-1 overflow-y-auto outline-none"
      >
        <div
          className={classNames(
            'mx-auto w-full px-4 pt-4 pb-16 sm:px-8 md:pt-8',
            isWide ? 'max-w-6xl' : 'max-w-4xl',
          )}
        >
          <LeaveGuard key={`${shown} ${item}`} isKept={isKept}>
            {isEditor ? (
              CONTENTS[shown](item)
            ) : (
              <PageHead title={title} isNamedAbove>
                {CONTENTS[shown](item)}
              </PageHead>
            )}
          </LeaveGuard>
        </div>
      </div>
    </div>
  )
}
