import type { IncomingMessage } from 'node:http'
import type { Peers } from './peers.ts'
import type { TrustedHeaders } from './trusted-headers.ts'

/**
 * Peers of a gateway whose proxy names people. Everybody behind it may share one address, so limits
 * are counted for the person it names; and the headers that name them count as a trace of the proxy
 * although they were removed.
 */
export const knowPeople = (peers: Peers, trustedHeaders: TrustedHeaders): Peers => ({
  ...peers,
  limitSubject: (request: IncomingMessage) => {
    const email = trustedHeaders.identityOf(request)?.email ?? null
    return email === null ? peers.limitSubject(request) : `person ${email}`
  },
  isDirect: (request) => !trustedHeaders.hasTrace(request) && peers.isDirect(request),
  isLocal: (request) => !trustedHeaders.hasTrace(request) && peers.isLocal(request),
})
