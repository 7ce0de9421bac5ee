import {
  Activity,
  AppWindow,
  ArrowDownUp,
  AudioLines,
  BookOpen,
  BookUser,
  Bot,
  Brain,
  ChartColumn,
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
  ShieldCheck,
  SlidersHorizontal,
  Speech,
  SquareTerminal,
  Stethoscope,
  TabletSmartphone,
  Tags,
  Trash2,
  UserRound,
  UserRoundCog,
  UsersRound,
  Webhook,
  Wrench,
} from 'lucide-react'
import { useId, type ReactNode } from 'react'
import { classNames } from '../../lib/class-names.ts'
import { handleLink } from '../../lib/handle-link.ts'
import { pathOf, type SettingsTarget } from './settings-index.ts'

export const SETTINGS_ICONS: Record<SettingsTarget, ReactNode> = {
  tools: <Wrench />,
  models: <Bot />,
  prices: <Tags />,
  trash: <Trash2 />,
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

interface SettingsLinkProps {
  readonly page: SettingsTarget
  readonly current: boolean
  /** Text below the name. */
  readonly text?: string
  readonly children: ReactNode
}

/**
 * Scrolls to the link, as the list is taller than most windows. `scrollIntoView` is missing in
 * windows without layout.
 */
const showInList = (link: HTMLAnchorElement | null): void =>
  link?.scrollIntoView?.({ block: 'nearest' })

/** A link to a page in the list of the settings. */
export function SettingsLink({ page, current, text, children }: SettingsLinkProps) {
  const id = useId()
  return (
    <a
      ref={current ? showInList : undefined}
      href={pathOf(page)}
      onClick={handleLink}
      aria-current={current ? 'page' : undefined}
      aria-describedby={text === undefined ? undefined : id}
      className={classNames(
        'flex min-h-control shrink-0 scroll-my-20 items-center gap-2.5 rounded-medium px-2.5 py-1 no-underline transition-colors duration-(--motion-in) focus-visible:-outline-offset-2 pointer-coarse:min-h-11 [&>svg]:size-4 [&>svg]:shrink-0',
        current
          ? 'bg-pressed font-medium [&>svg]:text-accent'
          : 'text-ink hover:bg-hover [&>svg]:text-muted',
      )}
    >
      {SETTINGS_ICONS[page]}
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
