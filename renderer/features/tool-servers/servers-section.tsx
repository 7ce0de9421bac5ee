import { RefreshCw, Wrench } from 'lucide-react'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import { hasWords } from '../../lib/has-words.ts'
import type { PrincipalLoaders } from '../../ui/access/access-picker.tsx'
import { useAction } from '../../api/use-action.ts'
import { Button } from '../../ui/controls/button.tsx'
import { EmptyLine } from '../../ui/lists/empty-line.tsx'
import { FailedLine } from '../../ui/lists/failed-line.tsx'
import { ListRow, Rows } from '../../ui/lists/list-row.tsx'
import { LoadingRows } from '../../ui/lists/loading-rows.tsx'
import { byText } from '../../ui/lists/by-text.ts'
import { PageSection } from '../../ui/layout/page-section.tsx'
import { OwnServerCards, type OwnServerChanges, OwnServerSheet } from './own/own-server-cards.tsx'
import type { OwnServer } from './own/own-server.ts'
import { OwnerBadge } from './owner-badge.tsx'
import { loadServers, type ServersStore } from './servers-store.ts'
import {
  nameOfShared,
  SharedServerCards,
  type SharedServerSheet,
  SharedServerSheets,
} from './shared-servers.tsx'
import type { UsableServer } from './use-usable-servers.ts'

/** Open dialog about a server; the server null is for a new one of the user. */
export type ServerSheet =
  | SharedServerSheet
  | { readonly kind: 'own'; readonly server: OwnServer | null; readonly atKey?: boolean }

interface ServersSectionProps {
  readonly shared: ServersStore
  /** True for administrators, who change the shared servers. */
  readonly mayShare: boolean
  /** Shared servers, as users who cannot change them see them. */
  readonly usable: readonly UsableServer[]
  readonly own: OwnServerChanges
  /** True if the user may have servers of their own. */
  readonly hasOwn: boolean
  /** False until the user's settings are loaded. */
  readonly isLoaded: boolean
  readonly principals: PrincipalLoaders
  /** Words that a shown server contains. */
  readonly query: string
  readonly order: 'name' | 'state'
  readonly sheet: ServerSheet | null
  readonly onSheet: (sheet: ServerSheet | null) => void
}

const byName = byText(({ name }: { name: string }) => name)

/** Sorts servers with a problem before the others, in the order they have. */
const problemsFirst = <Server,>(
  servers: readonly Server[],
  statusOf: (server: Server) => string | undefined,
): readonly Server[] => {
  const hasProblem = (server: Server): boolean => PROBLEMS.has(statusOf(server) ?? '')
  return servers.toSorted((left, right) => Number(hasProblem(right)) - Number(hasProblem(left)))
}
const PROBLEMS = new Set(['failed', 'changed'])

function UsableServerRow({ name }: UsableServer) {
  return <ListRow icon={<Wrench />} name={name} badges={<OwnerBadge owner="shared" />} />
}

/** Returns the servers of each list that contain the query. */
function useShownServers(props: ServersSectionProps) {
  const { shared, mayShare, usable, own, hasOwn, query, order } = props
  const { items, states } = useStore(shared)
  const { servers, states: ownStates } = useStore(own.servers.store)
  const ownByName = (hasOwn ? servers : [])
    .filter(({ name, url }) => hasWords(`${name} ${url}`, query))
    .toSorted(byName)
  const sharedByName = items
    .filter((server) =>
      hasWords([nameOfShared(server), server.url, server.command, ...server.args].join(' '), query),
    )
    .toSorted(byText(nameOfShared))
  return {
    owned:
      order === 'name' ? ownByName : problemsFirst(ownByName, ({ id }) => ownStates[id]?.status),
    shared:
      order === 'name'
        ? sharedByName
        : problemsFirst(sharedByName, ({ info }) => states[info.id]?.status),
    usable: (mayShare ? [] : usable).filter(({ name }) => hasWords(name, query)).toSorted(byName),
  }
}

/** Tests every server that is shown with a state. */
function TestAllButton({ shared, mayShare, own, hasOwn }: ServersSectionProps) {
  const { t } = useTranslation()
  const testing = useAction(async () => {
    const { servers } = own.servers.store.getState()
    await Promise.all([
      mayShare && loadServers(shared, true),
      ...(hasOwn ? servers : []).map(({ id }) => own.servers.checks.check(id)),
    ])
  })
  return (
    <Button
      icon={<RefreshCw className="size-4" />}
      busy={testing.busy}
      onClick={() => void testing.run()}
    >
      {t('toolServers.checkAll')}
    </Button>
  )
}

/** Tools from servers: the user's own ones, called by this window, and those of the gateway. */
export function ServersSection(props: ServersSectionProps) {
  const { shared, mayShare, own, hasOwn, isLoaded, query, sheet, onSheet } = props
  const { t } = useTranslation()
  const { status, problem } = useStore(shared)
  const shown = useShownServers(props)
  const isEmpty = shown.owned.length + shown.shared.length + shown.usable.length === 0
  useEffect(() => void (hasOwn && isLoaded && own.servers.checkNew()), [own, hasOwn, isLoaded])
  useEffect(() => void (mayShare && loadServers(shared)), [mayShare, shared])
  const isWaiting = (hasOwn && !isLoaded) || (mayShare && status !== 'ready')
  return (
    <PageSection
      title={t('toolServers.title')}
      text={t('toolServers.text')}
      action={shown.owned.length + shown.shared.length > 1 && <TestAllButton {...props} />}
    >
      <div className="flex flex-col gap-3">
        {status === 'failed' && (
          <FailedLine
            title={t('toolServers.loadFailed')}
            problem={problem}
            onRetry={() => void loadServers(shared)}
          />
        )}
        {!isEmpty && (
          <Rows label={t('toolServers.title')}>
            <OwnServerCards
              {...own}
              shown={shown.owned}
              onEdit={(server) => onSheet({ kind: 'own', server })}
              onEnterKey={(server) => onSheet({ kind: 'own', server, atKey: true })}
            />
            <SharedServerCards store={shared} shown={shown.shared} onSheet={onSheet} />
            {shown.usable.map((server) => (
              <UsableServerRow key={server.id} {...server} />
            ))}
          </Rows>
        )}
        {isEmpty && isWaiting && status !== 'failed' && <LoadingRows />}
        {isEmpty && !isWaiting && (
          <EmptyLine>
            {query.trim() !== ''
              ? t('toolServers.noMatch')
              : t(mayShare || hasOwn ? 'toolServers.none' : 'toolServers.own.notAllowed')}
          </EmptyLine>
        )}
      </div>
      {sheet?.kind === 'own' && (
        <OwnServerSheet
          {...own}
          server={sheet.server}
          atKey={sheet.atKey === true}
          onClose={() => onSheet(null)}
        />
      )}
      {sheet && sheet.kind !== 'own' && (
        <SharedServerSheets
          store={shared}
          principals={props.principals}
          sheet={sheet}
          onClose={() => onSheet(null)}
        />
      )}
    </PageSection>
  )
}
