import '../../lib/strings/shortcuts.ts'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { commands } from '#desktop'
import { commandLabel } from '../../lib/command-label.ts'
import { isTaught } from '../../lib/accelerator.ts'
import { Kbd } from '../marks/kbd.tsx'

const MENUS = ['file', 'view', 'chat', 'help'] as const

/** Keys of what has the focus in a list; they are not commands, as a letter means text elsewhere. */
const LISTS = {
  ofChats: {
    move: '↑+↓',
    select: 'Space',
    rename: 'F2',
    pin: 'P',
    folder: 'M',
    tags: 'T',
    share: 'S',
    unread: 'U',
    archive: 'E',
    trash: 'Delete',
  },
  ofMessages: {
    move: '↑+↓',
    react: 'R',
    thread: 'T',
    quote: 'Q',
    edit: 'E',
    pin: 'P',
    link: 'L',
    delete: 'Delete',
  },
} as const

type Action = keyof (typeof LISTS)['ofChats'] | keyof (typeof LISTS)['ofMessages']

function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="mb-5 break-inside-avoid">
      <h3 className="mb-1 text-small font-medium text-muted">{title}</h3>
      <ul>{children}</ul>
    </section>
  )
}

function Line({ label, keys }: { label: string; keys: string }) {
  return (
    <li className="flex min-h-8 items-center justify-between gap-4 border-b border-line py-1 last:border-0">
      <span>{label}</span>
      <Kbd accelerator={keys} />
    </li>
  )
}

/** Every command that has a shortcut, by menu, then the keys of the lists. */
export function ShortcutList() {
  const { t } = useTranslation()
  return (
    <div className="gap-8 sm:columns-2">
      {MENUS.map((menu) => (
        <Group key={menu} title={t(`commands.group.${menu}`)}>
          {commands
            .filter((row) => row.menu === menu && row.accelerator && isTaught(row.accelerator))
            .map((row) => (
              <Line key={row.id} label={commandLabel(t, row.id)} keys={row.accelerator ?? ''} />
            ))}
        </Group>
      ))}
      {Object.entries(LISTS).map(([list, actions]) => (
        <Group key={list} title={t(`shortcuts.${list as keyof typeof LISTS}`)}>
          {Object.entries(actions).map(([action, keys]) => (
            <Line key={action} label={t(`shortcuts.${action as Action}`)} keys={keys} />
          ))}
        </Group>
      ))}
    </div>
  )
}
