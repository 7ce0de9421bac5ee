import { Command } from 'cmdk'
import {
  Archive,
  ArrowDownUp,
  Box,
  CircleQuestionMark,
  CornerDownLeft,
  FolderPlus,
  Hash,
  ImagePlus,
  LayoutGrid,
  MessageSquare,
  MessagesSquare,
  PanelLeft,
  PenLine,
  RefreshCw,
  Search,
  Settings2,
  SquarePen,
  SunMoon,
} from 'lucide-react'
import { Dialog as Radix } from 'radix-ui'
import { useRef, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import { commands } from '#desktop'
import { isAdmin } from '../../features/auth/session-store.ts'
import { chooseModel } from '../../features/models/models-store.ts'
import { commandLabel } from '../../lib/command-label.ts'
import { isCommandAvailable, runCommand } from '../../lib/commands.ts'
import { chatPath, navigate, SETTINGS_PAGES, toPath, type SettingsPage } from '../../lib/router.ts'
import { placesStore } from '../../lib/places.ts'
import { formatAge } from '../../lib/format-time.ts'
import { rankText } from '../../lib/rank-text.ts'
import { splitSnippet } from '../../lib/snippet.ts'
import { Kbd } from '../../ui/marks/kbd.tsx'
import { useReturnFocus } from '../../ui/dialogs/return-focus.ts'
import { usePaletteChats } from './find-palette-chats.ts'
import { mayMakePictures, offersPage } from '../person/permissions.ts'
import { chatsStore, layoutStore, modelsStore, sessionStore } from '../stores.ts'

/**
 * Number of recent chats shown before a query is typed; more would hide the palette's other
 * entries.
 */
const RECENT = 6

/** Icons by command id, or by its first part. */
const COMMAND_ICONS: Readonly<Record<string, ReactNode>> = {
  'chat.new': <SquarePen />,
  chat: <MessageSquare />,
  chats: <MessagesSquare />,
  folder: <FolderPlus />,
  workspace: <LayoutGrid />,
  data: <ArrowDownUp />,
  settings: <Settings2 />,
  sidebar: <PanelLeft />,
  theme: <SunMoon />,
  composer: <PenLine />,
  model: <Box />,
  answer: <RefreshCw />,
  help: <CircleQuestionMark />,
  channel: <Hash />,
  picture: <ImagePlus />,
}

const PICTURE_COMMANDS: ReadonlySet<string> = new Set(['workspace.pictures', 'picture.make'])

const iconOf = (id: string): ReactNode =>
  COMMAND_ICONS[id] ?? COMMAND_ICONS[id.split('.')[0] ?? ''] ?? <CornerDownLeft />

/** Chats found by the gateway rank below entries whose name contains the terms. */
const FOUND = 'found '
const FOUND_RANK = 0.5

/** Only visible text is matched; ids of chats and models would match anything. */
const rankRow = (value: string, query: string, texts: string[] = []): number =>
  value.startsWith(FOUND) ? FOUND_RANK : Math.max(0, ...texts.map((text) => rankText(text, query)))

interface RowProps {
  /** Unique among all rows. */
  readonly value: string
  /** Texts that are searched. */
  readonly keywords: string[]
  readonly icon: ReactNode
  readonly accelerator?: string | null
  /** Unix seconds of its last change, which tell rows of the same name apart. */
  readonly changedAt?: number
  readonly onSelect: () => void
  readonly children: ReactNode
}

function Row({ value, keywords, icon, accelerator, changedAt, onSelect, children }: RowProps) {
  return (
    <Command.Item
      value={value}
      keywords={keywords}
      onSelect={onSelect}
      className="flex h-9 items-center gap-2.5 rounded-small px-2.5 data-[selected=true]:bg-hover pointer-coarse:min-h-11 [&>svg]:size-4 [&>svg]:shrink-0 [&>svg]:text-muted"
    >
      {icon}
      <bdi className="min-w-0 flex-1 truncate">{children}</bdi>
      {changedAt !== undefined && (
        <time data-exempt className="shrink-0 text-small text-muted">
          {formatAge(changedAt)}
        </time>
      )}
      {accelerator && <Kbd accelerator={accelerator} />}
    </Command.Item>
  )
}

const Group = ({ heading, children }: { heading: string; children: ReactNode }) => (
  <Command.Group
    heading={
      <span className="block px-2.5 pt-2.5 pb-1 text-small font-medium text-muted">{heading}</span>
    }
  >
    {children}
  </Command.Group>
)

interface RowsProps {
  readonly query: string
  readonly onChoose: (action: () => void) => void
}

/**
 * Chats whose listed title does not match: found by the gateway, with the passage that contains the
 * terms.
 */
function FoundChats({ query, onChoose }: RowsProps) {
  const { t } = useTranslation()
  const listed = useStore(chatsStore, (state) => state.chats)
  const aside = useStore(chatsStore, (state) => state.aside)
  const found = usePaletteChats(query)
  const isListed = (id: string): boolean =>
    [...listed, ...aside].some((chat) => chat.id === id && rankText(chat.title, query) > 0)
  const further = found.filter(({ id }) => !isListed(id))
  if (further.length === 0) return null
  return (
    <Group heading={t('commands.paletteFound')}>
      {further.map(({ id, title, message_id: message, snippet, updated_at: changedAt }) => (
        <Row
          key={id}
          value={`${FOUND}${id}`}
          keywords={[]}
          icon={<MessageSquare />}
          changedAt={changedAt}
          onSelect={() => onChoose(() => navigate(chatPath(id, message)))}
        >
          {title || t('chats.untitled')}
          {snippet && (
            <span className="ms-2 text-small text-muted">
              {splitSnippet(snippet).map(({ text, match }, index) =>
                // oxlint-disable-next-line react/no-array-index-key -- a part of an excerpt is identified by its index
                match ? <mark key={index}>{text}</mark> : <span key={index}>{text}</span>,
              )}
            </span>
          )}
        </Row>
      ))}
    </Group>
  )
}

/** Rows hand their action to `onChoose`, which closes the palette first. */
function Rows({ query, onChoose }: RowsProps) {
  const { t } = useTranslation()
  const listed = useStore(chatsStore, (state) => state.chats)
  const aside = useStore(chatsStore, (state) => state.aside)
  const isSearched = query.trim() !== ''
  const chats = isSearched
    ? [...listed, ...aside.filter((chat) => chat.archived)]
    : listed.slice(0, RECENT)
  const channels = useStore(placesStore, (state) => state.channels)
  const models = useStore(modelsStore, (state) => state.models)
  const offered = offersPage(useStore(sessionStore))
  const admin = useStore(sessionStore, isAdmin)
  const hasPictures = useStore(sessionStore, mayMakePictures)
  const pageName = (page: SettingsPage): string => t(`settings.pages.${page}`)
  const act = (action: () => void) => () => onChoose(action)
  return (
    <>
      <Group heading={t('commands.paletteChats')}>
        {chats.map(({ id, title, archived: isArchived, updated_at: changedAt }) => (
          <Row
            key={id}
            value={`chat ${id}`}
            keywords={[title || t('chats.untitled')]}
            icon={isArchived ? <Archive /> : <MessageSquare />}
            changedAt={changedAt}
            onSelect={act(() => navigate(chatPath(id)))}
          >
            {isArchived ? (
              <span className="flex items-center gap-2 text-muted">
                <span className="truncate">{title || t('chats.untitled')}</span>
                <span className="text-small">{t('chats.archivedMark')}</span>
              </span>
            ) : (
              title || t('chats.untitled')
            )}
          </Row>
        ))}
      </Group>
      <FoundChats query={query} onChoose={onChoose} />
      {channels.length > 0 && (
        <Group heading={t('commands.paletteChannels')}>
          {channels.map(({ id, name, path }) => (
            <Row
              key={id}
              value={`channel ${id}`}
              keywords={[name]}
              icon={<Hash />}
              onSelect={act(() => navigate(path))}
            >
              {name}
            </Row>
          ))}
        </Group>
      )}
      <Group heading={t('commands.paletteCommands')}>
        {commands
          .filter(
            ({ id }) =>
              id !== 'palette.open' &&
              (admin || id !== 'workspace.functions') &&
              (hasPictures || !PICTURE_COMMANDS.has(id)) &&
              isCommandAvailable(id),
          )
          .map(({ id, label, accelerator }) => (
            <Row
              key={id}
              value={`command ${id}`}
              keywords={[commandLabel(t, id), label]}
              icon={iconOf(id)}
              accelerator={accelerator}
              onSelect={act(() => runCommand(id))}
            >
              {commandLabel(t, id)}
            </Row>
          ))}
      </Group>
      <Group heading={t('commands.paletteModels')}>
        {(isSearched ? models : models.slice(0, RECENT)).map(({ id, name }) => (
          <Row
            key={id}
            value={`model ${id}`}
            keywords={[name]}
            icon={<Box />}
            onSelect={act(() => chooseModel(modelsStore, id))}
          >
            {name}
          </Row>
        ))}
      </Group>
      <Group heading={t('commands.paletteSettings')}>
        {SETTINGS_PAGES.filter(offered).map((page) => (
          <Row
            key={page}
            value={`settings ${page}`}
            keywords={[pageName(page)]}
            icon={<Settings2 />}
            onSelect={act(() => navigate(toPath({ name: 'settings', page })))}
          >
            {pageName(page)}
          </Row>
        ))}
      </Group>
    </>
  )
}

/** Search box for everything: chats, commands, models, settings. */
export function Palette() {
  const { t } = useTranslation()
  const open = useStore(layoutStore, (state) => state.paletteOpen)
  const [query, setQuery] = useState('')
  const focus = useReturnFocus()
  const chosen = useRef<(() => void) | null>(null)
  // The action runs after the focus is restored, so that it can set its own focus.
  const handleClosed = (event: Event): void => {
    focus.onCloseAutoFocus(event)
    chosen.current?.()
    chosen.current = null
  }
  const setOpen = (paletteOpen: boolean): void => {
    layoutStore.setState({ paletteOpen })
    setQuery('')
  }
  return (
    <Radix.Root open={open} onOpenChange={setOpen}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 animate-appear bg-scrim" />
        <Radix.Content
          aria-describedby={undefined}
          {...focus}
          onCloseAutoFocus={handleClosed}
          className="fixed inset-x-3 top-[min(16dvh,8rem)] z-50 mx-auto max-w-xl animate-appear overflow-hidden rounded-large border border-line bg-raised text-ui text-ink shadow-high outline-none"
        >
          <Radix.Title className="sr-only">{t('commands.palette')}</Radix.Title>
          <Command
            loop
            filter={rankRow}
            label={t('commands.palette')}
            className="flex max-h-[min(28rem,70dvh)] flex-col"
          >
            <div className="flex shrink-0 items-center gap-3 border-b border-line ps-4">
              <Search className="size-4.5 shrink-0 text-muted" />
              <Command.Input
                value={query}
                onValueChange={setQuery}
                placeholder={t('commands.palettePlaceholder')}
                className="h-13 min-w-0 flex-1 bg-transparent pe-4 text-message outline-none"
              />
            </div>
            <Command.List
              label={t('commands.palette')}
              className="fades-below min-h-0 flex-1 overflow-y-auto p-1.5"
            >
              <Command.Empty className="px-4 py-10 text-center text-small text-muted">
                {t('commands.paletteEmpty')}
              </Command.Empty>
              <Rows
                query={query}
                onChoose={(action) => {
                  chosen.current = action
                  setOpen(false)
                }}
              />
            </Command.List>
          </Command>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
