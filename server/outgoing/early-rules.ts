import type { Environment } from '../config/env.ts'
import { useRoutes } from '../lib/outgoing/proxy-route.ts'
import { readCertificates, trustAuthorities } from '../lib/outgoing/trust.ts'
import { isElsewhere, sealedError, watchWayOut } from '../lib/outgoing/way-out.ts'
import type { Settings } from '../settings/index.ts'
import { isOwnServer, type OwnServer } from './own-servers.ts'
import { Proxies, type ProxySetting } from './proxies.ts'

/**
 * Applies the rules to connections that are opened before the list exists; returns the function
 * that ends this. In sealed mode no connection leaves this computer, except those to the gateway's
 * own servers.
 */
export function ruleEarlyConnections(
  settings: Settings<'SEALED_MODE' | 'TRUSTED_CERTIFICATES' | ProxySetting>,
  { environment, ownServers }: { environment: Environment; ownServers: readonly OwnServer[] },
): () => void {
  const isSealed = (): boolean => settings.get('SEALED_MODE')
  const endWatch = watchWayOut({
    isElsewhere,
    isSealed,
    refusal: (target, purpose) =>
      isSealed() && !isOwnServer(ownServers, target, purpose) ? sealedError(target.host) : null,
    refused: () => undefined,
    begun: () => ({
      dialled: () => undefined,
      opened: () => undefined,
      ended: () => undefined,
    }),
  })
  const endRoutes = useRoutes(new Proxies({ settings, environment, isSealed }))
  const own = readCertificates(settings.get('TRUSTED_CERTIFICATES')) ?? []
  const endTrust = own.length === 0 ? () => undefined : trustAuthorities(own)
  return () => {
    endTrust()
    endRoutes()
    endWatch()
  }
}
