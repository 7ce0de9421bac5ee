import type { Socket } from 'node:net'
import type { DoctorFinding } from '#contract/doctor.ts'
import { ProxyError, type ProxyFault } from '../../lib/outgoing/proxy-error.ts'
import { bad, good } from './finding.ts'

const WHERE = 'under Settings → Gateway → Network'

const ADVICE: Readonly<Record<ProxyFault, string>> = {
  PROXY_UNREACHABLE: `Check its address ${WHERE}, or whether it is switched on.`,
  PROXY_SILENT: `Check its address ${WHERE}, and the firewalls between.`,
  PROXY_WANTS_SIGN_IN: `Enter the user name and password for the proxy ${WHERE}. Only sign-in by password is supported.`,
  PROXY_REFUSED:
    'Ask whoever runs the proxy to let the gateway through by CONNECT, on this port too.',
  PROXY_FOUND_NOTHING: 'Check the address of the connection: the proxy looks its name up.',
  PROXY_BROKE_OFF:
    'It may be overloaded, want TLS (then its address begins with https://) or be one of SOCKS 5 (then with socks5://).',
  PROXY_SPEAKS_OTHERWISE: `Check its address and port ${WHERE}.`,
  PROXY_NOT_TRUSTED: `Add the certificate of its authority ${WHERE}.`,
  PROXY_OF_ANOTHER_KIND: `Enter a proxy of HTTP or SOCKS 5 ${WHERE}, or call this connection without one.`,
}

const toBad = (error: ProxyError): DoctorFinding =>
  bad('proxy', {
    code: error.code.toLowerCase(),
    text: error.message,
    advice: ADVICE[error.code],
    mends: [{ kind: 'straight' }],
  })

export const otherKindOfProxy = (): DoctorFinding =>
  toBad(new ProxyError('PROXY_OF_ANOTHER_KIND', ''))

/** Judges the result of a connection through a proxy; an established connection is closed. */
export function judgeProxy(name: string, way: Socket | ProxyError): DoctorFinding {
  if (way instanceof ProxyError) return toBad(way)
  way.destroy()
  return good('proxy', 'through_proxy', `Calls go through the proxy ${name}.`)
}
