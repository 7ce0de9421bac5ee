import { KeyRound } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ToolItem } from '#contract/tools.ts'
import { toSentence } from '../../api/api-error.ts'
import { call, endpoints } from '../../api/client.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { FormProblem } from '../../ui/form-problem.tsx'
import { PageSection } from '../../ui/page-section.tsx'
import { toastError } from '../../ui/toast.tsx'

const MCP = 'server:mcp:'

type Server = Pick<ToolItem, 'id' | 'name' | 'authenticated'>

/** Returns the tool servers at which each user signs in individually; null while unknown. */
function useServers() {
  const [servers, setServers] = useState<readonly Server[] | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  useEffect(() => {
    const load = (): void => {
      call(endpoints.tools.list, {}).then(
        (tools) => {
          setServers(
            tools.filter(
              ({ id, authenticated }) => authenticated !== undefined && id.startsWith(MCP),
            ),
          )
          setProblem(null)
        },
        (thrown: unknown) => setProblem(toSentence(thrown)),
      )
    }
    load()
    // A sign-in completed in another window is shown when this one regains the focus.
    window.addEventListener('focus', load)
    return () => window.removeEventListener('focus', load)
  }, [])
  return { servers, setServers, problem }
}

function ServerRow({ server, onSignOut }: { server: Server; onSignOut: () => void }) {
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
      <KeyRound aria-hidden="true" className="size-4 shrink-0 text-muted" />
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

/**
 * Servers of the gateway to which the user signs in with their own account; hidden if there are
 * none.
 */
export function SignInsSection({ onChanged }: { onChanged: () => void }) {
  const { t } = useTranslation()
  const { servers, setServers, problem } = useServers()
  const [failed] = useState(() => new URLSearchParams(location.search).get('error'))
  const signOut = (server: Server): void => {
    call(endpoints.toolServers.signOut, {
      params: { server_id: server.id.slice(MCP.length) },
    }).then(() => {
      setServers(
        (servers ?? []).map((each) => (each === server ? { ...each, authenticated: false } : each)),
      )
      onChanged()
    }, toastError)
  }
  if (!failed && !problem && (servers ?? []).length === 0) return null
  return (
    <PageSection title={t('toolServers.own.signIns')} text={t('toolServers.own.signInsText')}>
      <div className="flex flex-col gap-3">
        <FormProblem text={failed ?? problem} />
        {servers !== null && servers.length > 0 && (
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
