import { useEffect, useState } from 'react'
import type { SharingStatus } from '#contract/sharing.ts'
import { call, endpoints } from '../../api/client.ts'
import { type RunningAction, useAction } from '../../api/use-action.ts'
import { translate } from '../../lib/i18n.ts'
import { isAtGateway } from '../../lib/is-at-gateway.ts'
import { chatPath } from '../../lib/router.ts'

/** Address of the gateway in an invitation. */
export interface InviteAddress {
  readonly address: string
  /**
   * Who reaches it: everyone this window does, devices of the shared network, only the gateway's own
   * computer; null while unknown.
   */
  readonly reach: 'others' | 'network' | 'here' | null
}

interface Inviting extends InviteAddress {
  /** Shares the gateway with its network; null where this is not needed. */
  readonly letIn: RunningAction<void> | null
}

const isForOthers = (url: string): boolean =>
  URL.canParse(url) && !isAtGateway(new URL(url).hostname)

/** Returns the shared address that is easiest to type: by name, else of IPv4, else of IPv6. */
function findShared({ name, port, addresses }: SharingStatus): string | null {
  const urls = addresses.flatMap(({ url }) => (url !== null && isForOthers(url) ? [url] : []))
  if (urls.length > 0 && name !== null && port !== null) return `https://${name}:${port}`
  return urls.find((url) => !url.includes('[')) ?? urls[0] ?? null
}

/** Returns the address to use instead of one that works on the gateway's computer only. */
async function findAddress(here: string): Promise<InviteAddress> {
  const [config, sharing] = await Promise.all([
    call(endpoints.auths.adminConfig, {}).catch(() => null),
    call(endpoints.sharing.status, {}).catch(() => null),
  ])
  if (config && isForOthers(config.WEBUI_URL)) return { address: config.WEBUI_URL, reach: 'others' }
  const url = sharing && findShared(sharing)
  return url === null ? { address: here, reach: 'here' } : { address: url, reach: 'network' }
}

/**
 * Returns the address to invite people to: that of this window, unless it works on the gateway's
 * computer only and there is another.
 */
export function useInviteAddress(): Inviting {
  const here = location.origin + chatPath(null)
  const [found, setFound] = useState<InviteAddress>({
    address: here,
    reach: isAtGateway() ? null : 'others',
  })
  useEffect(() => {
    if (!isAtGateway()) return
    let isWanted = true
    void findAddress(here).then((address) => isWanted && setFound(address))
    return () => {
      isWanted = false
    }
  }, [here])
  const letIn = useAction(async () => {
    const status = await call(endpoints.sharing.turnOn, { body: {} })
    const url = findShared(status)
    if (url === null) throw new Error(status.fault ?? translate('admin.users.noNetwork'))
    setFound({ address: url, reach: 'network' })
  })
  return { ...found, letIn: found.reach === 'here' ? letIn : null }
}
