import '../../lib/strings/connections.ts'
import { ExternalLink as LeavesMark } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call, endpoints } from '../../api/client.ts'
import { ExternalLink } from '../../ui/markdown/external-link.tsx'
import { accountPageOf, presetOf, type ProviderPreset } from './presets.ts'

/** Returns the provider of a connection, if it is a known one. */
function useProvider(connection: string): ProviderPreset | null {
  const [provider, setProvider] = useState<ProviderPreset | null>(null)
  useEffect(() => {
    const abort = new AbortController()
    call(endpoints.connections.list, {}, { signal: abort.signal }).then(
      (connections) => {
        const url = connections.find(({ name }) => name === connection)?.url
        setProvider(url === undefined ? null : presetOf(url))
      },
      // The link is optional; other actions are available.
      () => setProvider(null),
    )
    return () => abort.abort()
  }, [connection])
  return provider
}

/** Link to the provider's page where credit for the connection is bought. */
export function AccountLink({ connection }: { connection: string }) {
  const { t } = useTranslation()
  const provider = useProvider(connection)
  const page = provider && accountPageOf(provider)
  if (!page) return null
  return (
    <ExternalLink
      href={page.url}
      className="inline-flex h-control items-center gap-2 rounded-medium border border-edge/60 bg-raised px-3 text-ui font-medium text-ink no-underline hover:bg-hover pointer-coarse:min-h-11"
    >
      <LeavesMark className="size-3.5" />
      {t(page.isBilling ? 'connections.billingAt' : 'connections.accountAt', {
        name: provider.name,
      })}
    </ExternalLink>
  )
}
