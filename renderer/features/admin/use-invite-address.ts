import { useEffect, useState } from 'react'
import { call, endpoints } from '../../api/client.ts'
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

const isForOthers = (url: string): boolean =>
  URL.canParse(url) && !isAtGateway(new URL(url).hostname)

/** Returns the address to use instead of one that works on the gateway's computer only. */
async function findAddress(here: string): Promise<InviteAddress> {
  const [config, sharing] = await Promise.all([
    call(endpoints.auths.adminConfig, {}).catch(() => null),
    call(endpoints.sharing.status, {}).catch(() => null),
  ])
  if (config && isForOthers(config.WEBUI_URL)) return { address: config.WEBUI_URL, reach: 'others' }
  const urls = (sharing?.addresses ?? []).flatMap(({ url }) =>
    url !== null && isForOthers(url) ? [url] : [],
  )
  // An IPv4 address is easier to type.
  const url = urls.find((each) => !each.includes('[')) ?? urls[0]
  return url === undefined ? { address: here, reach: 'here' } : { address: url, reach: 'network' }
}

/**
 * Returns the address to invite people to: that of this window, unless it works on the gateway's
 * computer only and there is another.
 */
export function useInviteAddress(): InviteAddress {
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
  return found
}
