import { useTranslation } from 'react-i18next'
import { commands } from '#desktop'
import { commandLabel } from '../../lib/command-label.ts'
import { isTaught } from '../../lib/accelerator.ts'
import { Kbd } from '../marks/kbd.tsx'

const MENUS = ['file', 'view', 'chat', 'help'] as const

/** Every command that has a shortcut, by menu. */
export function ShortcutList() {
  const { t } = useTranslation()
  return (
    <div className="gap-8 sm:columns-2">
      {MENUS.map((menu) => (
        <section key={menu} className="mb-5 break-inside-avoid">
          <h3 className="mb-1 text-small font-medium text-muted">{t(`commands.group.${menu}`)}</h3>
          <ul>
            {commands
              .filter((row) => row.menu === menu && row.accelerator && isTaught(row.accelerator))
              .map((row) => (
                <li
                  key={row.id}
                  className="flex min-h-8 items-center justify-between gap-4 border-b border-line py-1 last:border-0"
                >
                  <span>{commandLabel(t, row.id)}</span>
                  <Kbd accelerator={row.accelerator ?? ''} />
                </li>
              ))}
          </ul>
        </section>
      ))}
    </div>
  )
}
