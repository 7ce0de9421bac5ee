import { useEffect, useState } from 'react'
import { call, endpoints } from '../../api/client.ts'
import { isAtGateway } from '../../lib/is-at-gateway.ts'
import { chatPath } from '../../lib/router.ts'

const isForOthers = (url: string): boolean =>
  URL.canParse(url) && !isAtGateway(new URL(url).hostname)

/** Returns the address at which other computers open the gateway; null if there is none. */
async function findAddress(): Promise<string | null> {
  const [config, sharing] = await Promise.all([
    call(endpoints.auths.adminConfig, {}).catch(() => null),
    call(endpoints.sharing.status, {}).catch(() => null),
  ])
  if (config && isForOthers(config.WEBUI_URL)) return config.WEBUI_URL
  return sharing?.addresses.find(({ url }) => url !== null)?.url ?? null
}

/** Address of the gateway in an invitation. */
export interface InviteAddress {
  readonly address: string
  /** False if it opens the gateway on its own computer only; null while unknown. */
  readonly isForOthers: boolean | null
}

/**
 * Returns the address to invite people to: that of this window, unless it works on the gateway's
 * computer only and there is another.
 */
export function useInviteAddress(): InviteAddress {
  const here = location.origin + chatPath(null)
  const [found, setFound] = useState<InviteAddress>({
    address: here,
    isForOthers: isAtGateway() ? null : true,
  })
  useEffect(() => {
    if (!isAtGateway()) return
    let isWanted = true
    void findAddress().then((address) => {
      if (isWanted) setFound({ address: address ?? here, isForOthers: address !== null })
    })
    return () => {
      isWanted = false
    }
  }, [here])
  return found
}
