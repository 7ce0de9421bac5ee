import { LayoutGrid } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import { isAdmin } from '../../features/auth/session-store.ts'
import { classNames } from '../../lib/class-names.ts'
import { handleLink } from '../../lib/handle-link.ts'
import { WORKSPACE_AREAS, workspacePath, type WorkspaceArea } from '../../lib/router.ts'
import { FoldedNav } from '../../ui/folded-nav.tsx'
import { LeaveGuard } from '../../ui/leave-guard.tsx'
import { PageHead } from '../../ui/lists/page-head.tsx'
import { usePageTitle } from '../../ui/use-page-title.ts'
import { OpenSidebar } from '../open-sidebar.tsx'
import { mayUseAutomations, mayUseCalendar, mayUseNotes } from '../permissions.ts'
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

/** Related areas are grouped. */
const GROUPS = [
  {
    name: 'assistants',
    areas: ['models', 'prompts', 'skills', 'automations', 'tools', 'functions'],
  },
  { name: 'documents', areas: ['knowledge', 'files', 'notes', 'calendar'] },
  { name: 'quality', areas: ['arena', 'prices'] },
] as const satisfies readonly { name: string; areas: readonly WorkspaceArea[] }[]

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

function AreaLink({ area, current }: { area: WorkspaceArea; current: boolean }) {
  const { t } = useTranslation()
  return (
    <a
      href={workspacePath(area)}
      onClick={handleLink}
      aria-current={current ? 'page' : undefined}
      className={classNames(
        'inline-flex h-control w-full shrink-0 items-center rounded-medium px-3 font-medium no-underline transition-colors duration-(--motion-in) focus-visible:-outline-offset-2 pointer-coarse:min-h-11',
        current ? 'bg-pressed text-ink' : 'text-muted hover:bg-hover hover:text-ink',
      )}
    >
      {t(`workspace.areas.${area}`)}
    </a>
  )
}

function AreaLinks({
  areas,
  current,
}: {
  areas: readonly WorkspaceArea[]
  current: WorkspaceArea
}) {
  const { t } = useTranslation()
  return (
    <FoldedNav
      label={t('workspace.title')}
      from="lg"
      current={
        <>
          <LayoutGrid aria-hidden="true" className="text-accent" />
          <span className="truncate">{t(`workspace.areas.${current}`)}</span>
        </>
      }
    >
      {/* Groups that do not fit go to the next line, where the line before the first is cut off. */}
      <div className="flex gap-1 max-lg:flex-col lg:-ms-2 lg:flex-wrap lg:gap-x-0 lg:overflow-hidden">
        {GROUPS.map(({ name, areas: members }) => {
          const shown = areas.filter((area) => (members as readonly WorkspaceArea[]).includes(area))
          if (shown.length === 0) return null
          return (
            <div
              key={name}
              className="flex shrink-0 gap-1 border-line max-lg:flex-col max-lg:not-first:border-t max-lg:not-first:pt-2 lg:-ms-px lg:items-center lg:border-s lg:px-2"
            >
              <span
                id={`workspace-${name}`}
                className="px-3 text-small text-muted lg:px-1 lg:text-tiny lg:font-medium lg:max-2xl:sr-only"
              >
                {t(`workspace.groups.${name}`)}
              </span>
              <ul
                aria-labelledby={`workspace-${name}`}
                className="grid gap-1 max-lg:grid-cols-2 lg:flex"
              >
                {shown.map((area) => (
                  <li key={area}>
                    <AreaLink area={area} current={area === current} />
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

function Area({ area, item }: { area: WorkspaceArea; item: string | null }) {
  if (area === 'models') return <ModelsArea item={item} />
  if (area === 'prompts') return <PromptsArea />
  if (area === 'skills') return <SkillsArea />
  if (area === 'automations') return <AutomationsArea />
  if (area === 'calendar') return <CalendarArea />
  if (area === 'notes') return <NotesArea item={item} />
  if (area === 'knowledge') return <KnowledgeArea item={item} />
  if (area === 'files') return <FilesArea />
  if (area === 'tools' || area === 'functions') return <PluginsArea area={area} item={item} />
  if (area === 'arena') return <ArenaArea />
  return <PricesArea />
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
    <div id="messages" tabIndex={-1} className="flex h-full flex-col overflow-y-auto outline-none">
      <div className="relative flex min-h-header shrink-0 items-center gap-2 px-2 py-1 pointer-coarse:min-h-12">
        <span className={classNames('flex', sidebarOpen && 'md:hidden')}>
          <OpenSidebar />
        </span>
        <AreaLinks areas={areas} current={shown} />
      </div>
      <div
        className={classNames(
          'mx-auto w-full px-4 pt-4 pb-16 sm:px-8 md:pt-8',
          isWide ? 'max-w-6xl' : 'max-w-4xl',
        )}
      >
        <LeaveGuard key={`${shown} ${item}`} isKept={isKept}>
          {isEditor ? (
            <Area area={shown} item={item} />
          ) : (
            <PageHead title={title}>
              <Area area={shown} item={item} />
            </PageHead>
          )}
        </LeaveGuard>
      </div>
    </div>
  )
}
