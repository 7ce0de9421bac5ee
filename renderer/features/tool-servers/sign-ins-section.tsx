import { KeyRound } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call, endpoints } from '../../api/client.ts'
import { Badge } from '../../ui/marks/badge.tsx'
import { Button } from '../../ui/controls/button.tsx'
import { FormProblem } from '../../ui/dialogs/form-problem.tsx'
import { PageSection } from '../../ui/layout/page-section.tsx'
import { toastError } from '../../ui/floating/toast.tsx'
import type { UsableServer, UsableServers } from './use-usable-servers.ts'

const MCP = 'server:mcp:'

function ServerRow({ server, onSignOut }: { server: UsableServer; onSignOut: () => void }) {
  const { t } = useTranslation()
  const [busy, setBusy] = useState(false)
  const signIn = (): void => {
    setBusy(true)
    const client_id = `mcp:${server.id.slice(MCP.length)}`
    call(endpoints.toolServers.authorize, { params: { client_id }, query: { answer: 'json' } })
      .then(({ address }) => location.assign(address), toastError)
      .finally(() => setBusy(false))
  }
  return (
    <li className="flex items-center gap-3 py-2.5 ps-4 pe-3">
      <KeyRound className="size-4 shrink-0 text-muted" />
      <span className="flex min-w-0 flex-1 flex-wrap items-center gap-x-2.5 gap-y-1">
        <bdi className="max-w-full truncate font-medium">{server.name}</bdi>
        {server.authenticated && <Badge tone="accent">{t('toolServers.own.signedIn')}</Badge>}
      </span>
      {server.authenticated ? (
        <Button onClick={onSignOut}>{t('toolServers.own.signOut')}</Button>
      ) : (
        <Button tone="primary" busy={busy} onClick={signIn}>
          {t('toolServers.own.signIn')}
        </Button>
      )}
    </li>
  )
}

interface SignInsSectionProps {
  readonly usable: UsableServers
  readonly onChanged: () => void
}

/**
 * Servers of the gateway to which the user signs in with their own account; hidden if there are
 * none.
 */
export function SignInsSection({ usable, onChanged }: SignInsSectionProps) {
  const { t } = useTranslation()
  const { servers: all, problem } = usable
  const servers = all.filter(({ authenticated }) => authenticated !== undefined)
  const [failed] = useState(() => new URLSearchParams(location.search).get('error'))
  const signOut = (server: UsableServer): void => {
    call(endpoints.toolServers.signOut, {
      params: { server_id: server.id.slice(MCP.length) },
    }).then(() => {
      usable.noteSignOut(server.id)
      onChanged()
    }, toastError)
  }
  if (!failed && !problem && servers.length === 0) return null
  return (
    <PageSection title={t('toolServers.own.signIns')} text={t('toolServers.own.signInsText')}>
      <div className="flex flex-col gap-3">
        <FormProblem text={failed ?? problem} />
        {servers.length > 0 && (
          <ul
            aria-label={t('toolServers.own.signIns')}
            className="divide-y divide-line rounded-large border border-line bg-raised"
          >
            {servers.map((server) => (
              <ServerRow key={server.id} server={server} onSignOut={() => signOut(server)} />
            ))}
          </ul>
        )}
      </div>
    </PageSection>
  )
}
