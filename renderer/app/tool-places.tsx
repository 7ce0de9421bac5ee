import { Blocks, ChevronRight, Hammer, Wrench } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import { isAdmin } from '../features/auth/session-store.ts'
import { handleLink } from '../lib/handle-link.ts'
import { toPath, workspacePath } from '../lib/router.ts'
import { RowMark } from '../ui/lists/list-row.tsx'
import { mayHaveOwnTools } from './permissions.ts'
import { sessionStore } from './stores.ts'

export type ToolPlace = 'own' | 'shared' | 'written'

const PLACES: Readonly<Record<ToolPlace, { readonly path: string; readonly icon: ReactNode }>> = {
  own: { path: toPath({ name: 'settings', page: 'own-tools' }), icon: <Hammer /> },
  shared: { path: toPath({ name: 'settings', page: 'tool-servers' }), icon: <Wrench /> },
  written: { path: workspacePath('tools'), icon: <Blocks /> },
}

/**
 * Links to the other screens with tools, and who can use them, as users often look on the wrong
 * one.
 */
export function OtherToolPlaces({ here }: { here: ToolPlace }) {
  const { t } = useTranslation()
  const admin = useStore(sessionStore, isAdmin)
  const hasOwn = useStore(sessionStore, mayHaveOwnTools)
  const offered: Readonly<Record<ToolPlace, boolean>> = {
    own: hasOwn,
    shared: admin,
    written: true,
  }
  const others = (Object.keys(PLACES) as ToolPlace[]).filter(
    (place) => place !== here && offered[place],
  )
  if (others.length === 0) return null
  return (
    <nav aria-labelledby="other-tool-places" className="mt-10">
      <h2 id="other-tool-places" className="mb-2 text-small font-medium text-muted">
        {t('toolServers.places.title')}
      </h2>
      <ul className="divide-y divide-line overflow-hidden rounded-large border border-line">
        {others.map((place) => (
          <li key={place}>
            <a
              href={PLACES[place].path}
              onClick={handleLink}
              className="flex items-center gap-3 px-4 py-3 text-ink no-underline hover:bg-hover focus-visible:-outline-offset-2"
            >
              <RowMark>{PLACES[place].icon}</RowMark>
              <span className="min-w-0 flex-1">
                <span className="block font-medium">{t(`toolServers.places.${place}.name`)}</span>
                <span className="block text-small text-pretty text-muted">
                  {t(`toolServers.places.${place}.text`)}
                </span>
              </span>
              <ChevronRight
                aria-hidden="true"
                className="size-4 shrink-0 text-muted rtl:-scale-x-100"
              />
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
}
