import type { LocalRuntime } from '#contract/connections.ts'
import type { DoctorFinding, DoctorMend, DoctorStep } from '#contract/doctor.ts'
import { isLoopbackHost } from '../../lib/outgoing/host-address.ts'
import { findRoute, nameOf, NO_DETOUR, type Proxy } from '../../lib/outgoing/proxy-route.ts'
import { isWayOutClosed } from '../../lib/outgoing/way-out.ts'
import {
  detourOf,
  hostOf,
  isNearby,
  type ConnectionRecord,
} from '../connections/connection-record.ts'
import { PROVIDER_KINDS } from '../kinds.ts'
import type { ConnectionPolicy } from '../connections/live-connection.ts'
import { localAddresses } from '../connections/local-runtimes.ts'
import type { LocalPrograms } from '../programs/local-programs.ts'
import { askModels, type Answer, type Asked } from './ask-models.ts'
import { bad, good, look, skipped } from './finding.ts'
import { judgeAnswer, mayBeElsewhere } from './judge-answer.ts'
import { judgeBrokenHandshake, judgeCertificate, wantsSecurity } from './judge-certificate.ts'
import { judgeKey, judgeModels } from './judge-key.ts'
import { judgeProxy, otherKindOfProxy } from './judge-proxy.ts'
import {
  findHost,
  reachPort,
  reachThrough,
  toPlace,
  viewCertificate,
  type CertificateView,
} from './reach.ts'

const LONGEST_WAIT = 8000
/** Time limit for a URL that is only tried, shorter than for the entered one. */
const TRY_MILLISECONDS = 2500
const NOT_NEEDED = 'The address begins with http://, so there is no certificate.'

interface Parts {
  readonly policy: ConnectionPolicy
  readonly programs: LocalPrograms
  /** Finds local programs that serve models and are not connected yet. */
  readonly findLocal: (signal: AbortSignal) => Promise<LocalRuntime[]>
}

type Examination = (record: ConnectionRecord, signal: AbortSignal) => Promise<DoctorFinding>

const isHere = (record: Pick<ConnectionRecord, 'url'>): boolean => isLoopbackHost(hostOf(record))

const PURPOSE = { kind: 'provider' } as const
const THROUGH_PROXY = 'The proxy looks it up.'

/**
 * Returns the proxy of a connection; null for a direct connection, undefined if no proxy is usable.
 */
async function proxyOf(record: ConnectionRecord): Promise<Proxy | null | undefined> {
  return (await findRoute(new URL(record.url), detourOf(record)))[0]
}

/** Examines the path of a call to a connection step by step, and judges the results. */
export class Doctor {
  readonly #parts: Parts
  readonly #steps: Record<Exclude<DoctorStep, 'address'>, Examination>

  constructor(parts: Parts) {
    this.#parts = parts
    this.#steps = {
      runtime: (record, signal) => this.#examineRuntime(record, signal),
      host: (record) => this.#examineHost(record),
      port: (record, signal) => this.#examinePort(record, signal),
      proxy: (record, signal) => this.#examineProxy(record, signal),
      certificate: (record, signal) => this.#examineCertificate(record, signal),
      answer: (record, signal) => this.#examineAnswer(record, signal),
      origin: (record, signal) => this.#examineOrigin(record, signal),
      key: async (record, signal) => judgeKey(record, await this.#ask(record, signal)),
      models: async (record, signal) => judgeModels(record, await this.#ask(record, signal)),
    }
  }

  /** Judges whether the connection may be called at all, once its URL is valid. */
  examineUse(record: ConnectionRecord): DoctorFinding {
    const { policy } = this.#parts
    if (policy.isSealed() && (!isNearby(record) || isWayOutClosed(toPlace(record.url), PURPOSE)))
      return bad('address', {
        code: 'sealed',
        text: 'Sealed mode is on, so nothing leaves the gateway’s computer.',
        advice: 'Switch sealed mode off in Settings → Outgoing traffic to use this connection.',
      })
    if (policy.isOffline() && !isNearby(record))
      return bad('address', {
        code: 'offline',
        text: "Offline mode is on, so only the gateway's computer and its network are called.",
        advice: 'Switch offline mode off to use this connection.',
        mends: [{ kind: 'online' }],
      })
    if (!policy.isSwitchedOn(record.kind))
      return bad('address', {
        code: 'kind_off',
        text: 'Connections of this kind are switched off for the whole gateway.',
        advice: 'Switch them on in Settings → Gateway.',
      })
    if (!record.enabled)
      return look('address', {
        code: 'switched_off',
        text: 'The connection is switched off, so its models are not offered.',
        mends: [{ kind: 'switch-on' }],
      })
    return good('address', 'address', 'The address is complete.')
  }

  examine(
    step: Exclude<DoctorStep, 'address'>,
    record: ConnectionRecord,
    signal: AbortSignal,
  ): Promise<DoctorFinding> {
    return this.#steps[step](record, signal)
  }

  get #connectMilliseconds(): number {
    return Math.min(this.#parts.policy.connectMilliseconds(), LONGEST_WAIT)
  }

  #ask(record: ConnectionRecord, signal: AbortSignal): Promise<Answer> {
    const wait = Math.min(record.timeout_seconds * 1000, LONGEST_WAIT)
    return askModels(record, wait, signal)
  }

  /** Returns running programs as URLs to change to. */
  async #offerLocal(signal: AbortSignal): Promise<DoctorMend[]> {
    const found = await this.#parts.findLocal(signal)
    return found.map(({ kind, url }) => ({ kind: 'type', type: kind, url }))
  }

  async #examineRuntime(record: ConnectionRecord, signal: AbortSignal): Promise<DoctorFinding> {
    if (!isHere(record))
      return skipped('runtime', 'elsewhere', "The server is not on the gateway's computer.")
    const place = toPlace(record.url)
    const fault = await reachPort(place, this.#connectMilliseconds)
    if (fault === null)
      return good('runtime', 'running', `A program listens on port ${place.port}.`)
    const found = this.#parts.programs.findByPort(place.port)
    const mends = await this.#offerLocal(signal)
    if (found?.isInstalled) {
      const { id, name, start } = found.program
      const canStart = this.#parts.programs.canStart(id)
      return bad('runtime', {
        code: 'not_running',
        text: `${name} is installed but is not running.`,
        advice: start,
        mends: canStart ? [{ kind: 'start', program: id, name }, ...mends] : mends,
      })
    }
    return bad('runtime', {
      code: 'nothing_listens',
      text: `No program listens on port ${place.port} of the gateway's computer.`,
      advice:
        found === null
          ? 'Start the program, or look up the port it shows in its own settings.'
          : `Start the program. ${found.program.name} usually listens there and was not found installed.`,
      mends,
    })
  }

  async #examineHost(record: ConnectionRecord): Promise<DoctorFinding> {
    if ((await proxyOf(record)) !== null) return skipped('host', 'through_proxy', THROUGH_PROXY)
    const place = toPlace(record.url)
    const fault = await findHost(place)
    if (fault === null) return good('host', 'host_known', `The name ${place.host} is known.`)
    if (fault === 'EAI_AGAIN')
      return bad('host', {
        code: 'no_name_service',
        text: 'Names cannot be looked up right now.',
        advice: 'Check the network of the gateway and its name server.',
      })
    return bad('host', {
      code: 'host_unknown',
      text: `There is no host named ${place.host}.`,
      advice: 'Check the spelling. A name of the own network is known only there.',
    })
  }

  async #examinePort(record: ConnectionRecord, signal: AbortSignal): Promise<DoctorFinding> {
    if ((await proxyOf(record)) !== null)
      return skipped('port', 'through_proxy', 'The proxy makes the connection.')
    const place = toPlace(record.url)
    const fault = await reachPort(place, this.#connectMilliseconds)
    if (fault === null) return good('port', 'port_open', `Port ${place.port} can be reached.`)
    if (fault === 'ECONNREFUSED')
      return bad('port', {
        code: 'port_closed',
        text: `${place.host} is there, but nothing listens on port ${place.port}.`,
        advice: 'Start the server there, or correct the port.',
        mends: isHere(record) ? await this.#offerLocal(signal) : [],
      })
    return bad('port', {
      code: fault === 'ETIMEDOUT' ? 'port_silent' : 'port_unreachable',
      text: `Port ${place.port} of ${place.host} cannot be reached.`,
      advice: 'Check that the computer is on, and the firewalls between.',
    })
  }

  async #examineProxy(record: ConnectionRecord, signal: AbortSignal): Promise<DoctorFinding> {
    const proxy = await proxyOf(record)
    if (proxy === undefined) return otherKindOfProxy()
    if (proxy !== null) {
      const way = await reachThrough(proxy, toPlace(record.url), this.#connectMilliseconds)
      return judgeProxy(nameOf(proxy), way)
    }
    const answer = record.url.startsWith('http:') ? await this.#ask(record, signal) : null
    if (answer?.kind === 'reply' && answer.status === 407)
      return bad('proxy', {
        code: 'proxy_refuses',
        text: 'A proxy answers in the place of the server and wants a sign-in (status 407).',
        advice: 'Use the address of the server itself, or one the proxy lets through.',
      })
    const [usual] = record.use_proxy ? [null] : await findRoute(new URL(record.url), NO_DETOUR)
    return usual
      ? skipped('proxy', 'proxy_left_out', 'This connection is called without the proxy.')
      : skipped('proxy', 'no_proxy', 'No proxy stands between.')
  }

  async #examineCertificate(record: ConnectionRecord, signal: AbortSignal): Promise<DoctorFinding> {
    const place = toPlace(record.url)
    if (place.isSecure) {
      const view = await this.#viewCertificate(record)
      const chosen = record.trusted_certificate
      return view.fault === null
        ? judgeCertificate(record.url, { place, chosen }, view)
        : judgeBrokenHandshake(record.url, view.fault)
    }
    const answer = await this.#ask(record, signal)
    const isOdd = answer.kind === 'fault' ? answer.code !== 'SILENT' : answer.status === 400
    if (!isOdd) return skipped('certificate', 'no_certificate', NOT_NEEDED)
    const { fault } = await this.#viewCertificate(record)
    return fault === null
      ? wantsSecurity(record.url)
      : skipped('certificate', 'no_certificate', NOT_NEEDED)
  }

  async #viewCertificate(record: ConnectionRecord): Promise<CertificateView> {
    const place = toPlace(record.url)
    const proxy = await proxyOf(record)
    const way = proxy ? await reachThrough(proxy, place, this.#connectMilliseconds) : null
    if (way instanceof Error) throw way
    return viewCertificate(place, this.#connectMilliseconds, way)
  }

  async #examineAnswer(record: ConnectionRecord, signal: AbortSignal): Promise<DoctorFinding> {
    const answer = await this.#ask(record, signal)
    const end = PROVIDER_KINDS[record.kind].modelsPath
    const mends = mayBeElsewhere(answer) ? await this.#findBetter(record, signal) : []
    return judgeAnswer(answer, {
      asked: record.url + end,
      end,
      timeoutSeconds: record.timeout_seconds,
      better: { mends },
    })
  }

  /**
   * Returns other paths and kinds under which the same server lists models; the key is not sent
   * elsewhere.
   */
  async #findBetter(record: ConnectionRecord, signal: AbortSignal): Promise<DoctorMend[]> {
    const { origin } = new URL(record.url)
    const tries: Asked[] = [
      { ...record, url: `${record.url}/v1` },
      { ...record, url: `${origin}/v1` },
      { ...record, url: origin },
      ...localAddresses(origin).map((address) => ({ ...record, ...address })),
    ]
    let asksForKey: DoctorMend | null = null
    for (const { kind, url } of tries) {
      if (url === record.url && kind === record.kind) continue
      const mend: DoctorMend =
        kind === record.kind ? { kind: 'address', url } : { kind: 'type', type: kind, url }
      const answer = await askModels({ ...record, kind, url }, TRY_MILLISECONDS, signal)
      if (answer.kind === 'fault') continue
      if (answer.form === 'models' && answer.status < 300) return [mend]
      // A path that asks for a key exists.
      if (answer.status === 401 || answer.status === 403) asksForKey ??= mend
    }
    if (asksForKey) return [asksForKey]
    return isHere(record) ? this.#offerLocal(signal) : []
  }

  /** Examines whether a local server rejects the host name by which it is called. */
  async #examineOrigin(record: ConnectionRecord, signal: AbortSignal): Promise<DoctorFinding> {
    const answer = await this.#ask(record, signal)
    const isRefused = answer.kind === 'reply' && [400, 403, 421].includes(answer.status)
    const place = toPlace(record.url)
    if (!isRefused) return good('origin', 'name_accepted', `It answers to the name ${place.host}.`)
    for (const name of ['127.0.0.1', 'localhost']) {
      if (!isHere(record) || name === place.host) continue
      const url = new URL(record.url)
      url.hostname = name
      const other = `${url.origin}${url.pathname.replace(/\/+$/, '')}`
      const second = await askModels({ ...record, url: other }, TRY_MILLISECONDS, signal)
      if (second.kind === 'reply' && second.status < 300)
        return bad('origin', {
          code: 'name_refused',
          text: `The server refuses calls that come under the name ${place.host}.`,
          advice:
            'Call it by the address below, or add the name to the hosts and origins it permits (CORS).',
          mends: [{ kind: 'address', url: other }],
        })
    }
    return good('origin', 'name_accepted', `The refusal is not about the name ${place.host}.`)
  }
}
