import '../../lib/strings/areas.ts'
import { Blocks, ChevronDown, FileJson, Plus, UserRound, UsersRound } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import { isAdmin } from '../../features/auth/session-store.ts'
import { loadTools, toolsStore } from '../../features/chat/tools/tools-store.ts'
import { toolCalls } from '../../features/plugins/plugin-kinds.ts'
import { createPluginsStore } from '../../features/plugins/plugins-store.ts'
import { PythonToolsSection } from '../../features/plugins/python-tools-section.tsx'
import { ServersSection, type ServerSheet } from '../../features/tool-servers/servers-section.tsx'
import { createServersStore } from '../../features/tool-servers/servers-store.ts'
import { SignInsSection } from '../../features/tool-servers/sign-ins-section.tsx'
import { useUsableServers } from '../../features/tool-servers/use-usable-servers.ts'
import { navigate, workspacePath } from '../../lib/router.ts'
import { Button } from '../../ui/controls/button.tsx'
import { OrderBox } from '../../ui/lists/order-box.tsx'
import { HeadTools } from '../../ui/lists/page-head.tsx'
import { Menu, MenuItem } from '../../ui/floating/menu.tsx'
import { SearchBox } from '../../ui/fields/search-box.tsx'
import { changeOwnServer, ownServers } from '../person/own-tools.ts'
import { isPermitted, mayHaveOwnTools } from '../person/permissions.ts'
import { principals } from '../person/principals.ts'
import { preferencesStore, sessionStore } from '../stores.ts'

const pythonTools = createPluginsStore(toolCalls)
const sharedServers = createServersStore()
const own = { servers: ownServers, onChange: changeOwnServer }
const ORDERS = ['name', 'state'] as const

interface AddMenuProps {
  readonly mayWrite: boolean
  readonly hasOwn: boolean
  readonly admin: boolean
  readonly onServer: (sheet: ServerSheet) => void
}

/** The kinds of tools that the user can add, each with its description. */
function AddMenu({ mayWrite, hasOwn, admin, onServer }: AddMenuProps) {
  const { t } = useTranslation()
  const item = (icon: ReactNode, kind: 'own' | 'shared' | 'python' | 'json', act: () => void) => (
    <MenuItem icon={icon} text={t(`areas.addTool.${kind}.text`)} onSelect={act}>
      {t(`areas.addTool.${kind}.name`)}
    </MenuItem>
  )
  if (!mayWrite && !hasOwn && !admin) return null
  return (
    <Menu
      trigger={
        <Button tone="primary" icon={<Plus className="size-4" />}>
          {t('areas.addTool.title')}
          <ChevronDown className="-me-1 size-4" />
        </Button>
      }
    >
      {hasOwn && item(<UserRound />, 'own', () => onServer({ kind: 'own', server: null }))}
      {admin && item(<UsersRound />, 'shared', () => onServer({ kind: 'form', id: null }))}
      {admin && item(<FileJson />, 'json', () => onServer({ kind: 'import' }))}
      {mayWrite && item(<Blocks />, 'python', () => navigate(workspacePath('tools', '')))}
    </Menu>
  )
}

/** Former addresses of parts of this page become its own. */
function useOwnAddress(): void {
  useEffect(() => navigate(workspacePath('tools'), { replace: true }), [])
}

/** All tools that models can use: from servers and written in Python. */
export function ToolsArea({ onChanged }: { onChanged: () => void }) {
  const { t } = useTranslation()
  const admin = useStore(sessionStore, isAdmin)
  const hasOwn = useStore(sessionStore, mayHaveOwnTools)
  const mayWrite = useStore(sessionStore, isPermitted('workspace.tools'))
  const isLoaded = useStore(preferencesStore, (state) => state.loaded)
  const usable = useUsableServers()
  const [query, setQuery] = useState('')
  const [order, setOrder] = useState<(typeof ORDERS)[number]>('name')
  const [sheet, setSheet] = useState<ServerSheet | null>(null)
  const total = useToolCount({ admin, hasOwn, usable: usable.servers.length })
  useOwnAddress()
  return (
    <div className="flex flex-col gap-4">
      <HeadTools count={total > 0 ? total : null}>
        <AddMenu mayWrite={mayWrite} hasOwn={hasOwn} admin={admin} onServer={setSheet} />
      </HeadTools>
      <p className="max-w-prose text-pretty text-muted md:-mt-2">{t('areas.toolsText')}</p>
      {total > 0 && (
        <div className="flex flex-wrap gap-2">
          <div className="min-w-0 flex-1 basis-40 sm:basis-56">
            <SearchBox label={t('areas.searchTools')} value={query} onChange={setQuery} />
          </div>
          <OrderBox value={order} orders={ORDERS} onChange={setOrder} />
        </div>
      )}
      <div className="mt-4">
        <SignInsSection usable={usable} onChanged={() => void loadTools(toolsStore)} />
        <ServersSection
          shared={sharedServers}
          mayShare={admin}
          usable={usable.servers}
          own={own}
          hasOwn={hasOwn}
          isLoaded={isLoaded}
          principals={principals}
          query={query}
          order={order}
          sheet={sheet}
          onSheet={setSheet}
        />
        <PythonToolsSection
          store={pythonTools}
          calls={toolCalls}
          admin={admin}
          mayCreate={mayWrite}
          query={query}
          order={order}
          onOpen={(id) => navigate(workspacePath('tools', id))}
          onChanged={onChanged}
        />
      </div>
    </div>
  )
}

interface Counted {
  readonly admin: boolean
  readonly hasOwn: boolean
  /** Number of shared servers that the user can use. */
  readonly usable: number
}

/** Returns the number of entries on the page, regardless of the search. */
function useToolCount({ admin, hasOwn, usable }: Counted): number {
  const written = useStore(pythonTools, (state) => state.items.length)
  const shared = useStore(sharedServers, (state) => state.items.length)
  const owned = useStore(ownServers.store, (state) => state.servers.length)
  return written + (admin ? shared : usable) + (hasOwn ? owned : 0)
}
