import { endpoints } from '#contract/endpoints.ts'
import type { Auth } from '../auth/index.ts'
import { badRequest, conflict, notFound } from '../lib/errors.ts'
import { httpRoute, route, type Route } from '../lib/http.ts'
import { RateWindow } from '../lib/timing/rate-window.ts'
import type { Sharing } from './sharing.ts'

interface SharingRouteDependencies {
  readonly sharing: Sharing
  readonly auth: Auth
}

/** Secrets cannot be guessed; this only keeps a device from trying endlessly. */
const TRIES = { most: 20, seconds: 60 }

export function createSharingRoutes({ sharing, auth }: SharingRouteDependencies): Route[] {
  return [
    route(endpoints.sharing.status, () => sharing.status()),
    route(endpoints.sharing.turnOn, ({ body }) => sharing.turnOn(body)),
    route(endpoints.sharing.turnOff, () => sharing.turnOff()),
    httpRoute(endpoints.sharing.devices, ({ request }) => auth.listShared(request)),
    route(endpoints.sharing.endDevice, async ({ params }) => {
      // A pass works on one device only, so once that device is signed out the guest's data are no
      // longer needed.
      await sharing.passes.endOfGuest(await auth.endShared(params.session_id))
    }),
    httpRoute(endpoints.sharing.authority, async ({ response }) => {
      const authority = await sharing.certificates.authority()
      if (!authority || !sharing.isOn()) throw notFound('There is no certificate to install here.')
      response.writeHead(200, {
        'Content-Type': 'application/x-x509-ca-cert',
        'Content-Length': authority.length,
        'Content-Disposition': 'attachment; filename="chat-gateway.crt"',
        'Cache-Control': 'no-store',
      })
      response.end(authority)
    }),
    route(endpoints.sharing.bringCertificate, async ({ body }) => {
      await sharing.certificates.bring(body)
      await sharing.settle()
      return sharing.status()
    }),
    route(endpoints.sharing.dropCertificate, async () => {
      await sharing.certificates.drop()
      await sharing.settle()
      return sharing.status()
    }),
    ...createPassRoutes({ sharing, auth }),
  ]
}

function createPassRoutes({ sharing, auth }: SharingRouteDependencies): Route[] {
  const tries = new RateWindow(TRIES)
  return [
    route(endpoints.sharing.passes, () => sharing.passes.list()),
    route(endpoints.sharing.createPass, ({ body }) => {
      if (!sharing.isReachable())
        throw conflict('Share with your network first: a guest comes in over it.', {
          code: 'not_shared',
        })
      return sharing.passes.create(body)
    }),
    route(endpoints.sharing.endPass, ({ params }) => sharing.passes.end(params.pass_id)),
    httpRoute(endpoints.sharing.enter, async (call) => {
      sharing.requireAlone()
      const subject = auth.peers.limitSubject(call.request)
      tries.require(subject, 'Too many links were tried from your address. Try again in a minute.')
      tries.count(subject)
      if (auth.trustedHeaders.isOn)
        throw badRequest('A proxy in front of the gateway signs people in, so there are no guests.')
      const { user, seconds } = await sharing.passes.enter(call.body.secret)
      return auth.openSession(call, user, seconds)
    }),
    route(endpoints.sharing.ownPass, ({ caller }) => sharing.passes.ofGuest(caller.userId)),
  ]
}
