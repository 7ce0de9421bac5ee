import { OAUTH_STEPS, type OAuthOutcome, type OAuthStep, type OAuthTest } from '#contract/oauth.ts'
import { checkPlainJson } from '../../lib/json/check-plain-json.ts'
import { newId, nowSeconds } from '../../lib/ids.ts'
import { PendingFlows } from '../../live/index.ts'
import { findDoubts } from './find-doubts.ts'
import { CLIENT_KEYS, isCallbackAddress, REDIRECT_KEYS, type Provider } from './providers.ts'
import type { Claims } from './read-claims.ts'
import type { SignInFailure } from './sign-in-failure.ts'
import type { Trace } from './trace.ts'

const KEPT_SECONDS = 1800
const MOST_PER_USER = 20

const LARGEST_CLAIMS = 100_000

/** Returns true if claims can be sent to a page. */
function isPlain(claims: Claims): boolean {
  try {
    checkPlainJson(claims, 'The claims')
    return JSON.stringify(claims).length <= LARGEST_CLAIMS
  } catch {
    return false
  }
}

type Step = OAuthTest['steps'][number]

/** A trial as stored, so that any gateway can continue it. */
interface TrialState {
  readonly provider: Pick<Provider, 'id' | 'clientId'>
  readonly redirectUri: string
  readonly startedAt: number
  readonly steps: readonly Step[]
  readonly finishedAt: number | null
  readonly issuer: string | null
  readonly claims: Claims | null
  readonly result: OAuthOutcome | null
}

/** One sign-in of an administrator that changes nothing. */
export class Trial implements Trace {
  readonly id: string
  readonly userId: string
  readonly #provider: Pick<Provider, 'id' | 'clientId'>
  readonly #redirectUri: string
  readonly #startedAt: number
  readonly #steps: Map<OAuthStep, Step>
  #finishedAt: number | null
  #issuer: string | null
  #claims: Claims | null
  #result: OAuthOutcome | null

  constructor(id: string, userId: string, state: TrialState) {
    this.id = id
    this.userId = userId
    this.#provider = state.provider
    this.#redirectUri = state.redirectUri
    this.#startedAt = state.startedAt
    this.#steps = new Map(state.steps.map((step) => [step.step, step]))
    this.#finishedAt = state.finishedAt
    this.#issuer = state.issuer
    this.#claims = state.claims
    this.#result = state.result
  }

  toState(): TrialState {
    return {
      provider: this.#provider,
      redirectUri: this.#redirectUri,
      startedAt: this.#startedAt,
      steps: [...this.#steps.values()],
      finishedAt: this.#finishedAt,
      issuer: this.#issuer,
      claims: this.#claims,
      result: this.#result,
    }
  }

  pass(step: OAuthStep, detail?: string): void {
    this.#note({ step, state: 'passed', detail: detail ?? null, remedy: null, settings: [] })
  }

  skip(step: OAuthStep, detail: string): void {
    this.#note({ step, state: 'skipped', detail, remedy: null, settings: [] })
  }

  noteIssuer(issuer: string): void {
    this.#issuer = issuer
  }

  /** Excessively large claims are not shown. */
  noteClaims(claims: Claims): void {
    this.#claims = isPlain(claims) ? claims : { '…': 'The provider sent more than can be shown.' }
  }

  /** Sets the result the sign-in would have had. */
  finish(result: OAuthOutcome, failure: SignInFailure | null): void {
    this.#result = result
    if (failure) return this.fail(failure)
    const doubts = findDoubts(result)
    if (doubts) this.#note({ step: 'claims', state: 'warning', ...doubts })
    else this.pass('claims', 'The claims tell what is needed.')
    this.pass('account', 'The person would be signed in.')
    this.#finishedAt = nowSeconds()
  }

  /** Ends it with a failure; the steps after it were not run. */
  fail(failure: SignInFailure): void {
    const { step, detail, remedy, settings } = failure
    if (step === 'account' && !this.#steps.has('claims'))
      this.pass('claims', 'The claims tell what is needed.')
    this.#note({ step, state: 'failed', detail, remedy, settings: [...settings] })
    this.#finishedAt = nowSeconds()
  }

  describe(): OAuthTest {
    const isFailed = [...this.#steps.values()].some(({ state }) => state === 'failed')
    const isOver = this.#finishedAt !== null
    return {
      id: this.id,
      provider: this.#provider.id,
      state: isOver ? (isFailed ? 'failed' : 'passed') : 'waiting',
      started_at: this.#startedAt,
      finished_at: this.#finishedAt,
      redirect_uri: this.#redirectUri,
      issuer: this.#issuer,
      client_id: this.#provider.clientId,
      steps: OAUTH_STEPS.map((step) => this.#steps.get(step) ?? this.#untaken(step, isOver)),
      claims: this.#claims === null ? null : { ...this.#claims },
      result: this.#result,
    }
  }

  #note(step: Step): void {
    this.#steps.set(step.step, step)
  }

  #untaken(step: OAuthStep, isOver: boolean): Step {
    if (isOver) return { step, state: 'skipped', detail: null, remedy: null, settings: [] }
    // A user who never returns is at a page of the provider that shows the reason.
    const isNext = step === 'authorization'
    return {
      step,
      state: 'waiting',
      detail: isNext ? 'The provider has not sent the browser back yet.' : null,
      remedy: isNext ? this.#adviseOnSilence() : null,
      settings: isNext
        ? [REDIRECT_KEYS[this.#provider.id], 'WEBUI_URL', CLIENT_KEYS[this.#provider.id]]
        : [],
    }
  }

  #adviseOnSilence(): string {
    const { id } = this.#provider
    if (!isCallbackAddress(id, this.#redirectUri))
      return `The redirect address ${this.#redirectUri} is not one the gateway takes people back at: leave ${REDIRECT_KEYS[id]} empty, or let it end in /oauth/${id}/callback.`
    return `If the page of the provider speaks of a redirect address, register ${this.#redirectUri} there, letter by letter. If it does not know the client, check the client id.`
  }
}

/** Trials of the last half hour. The browser may return to another gateway than the one it left. */
export class Trials {
  readonly #flows: PendingFlows<TrialState>

  constructor(dependencies: ConstructorParameters<typeof PendingFlows>[0]) {
    this.#flows = new PendingFlows(dependencies, {
      kind: 'oauth_trial',
      seconds: KEPT_SECONDS,
      mostPerUser: MOST_PER_USER,
    })
  }

  begin(userId: string, { id, clientId }: Provider, redirectUri: string): Trial {
    return new Trial(newId(), userId, {
      provider: { id, clientId },
      redirectUri,
      startedAt: nowSeconds(),
      steps: [],
      finishedAt: null,
      issuer: null,
      claims: null,
      result: null,
    })
  }

  async save(trial: Trial): Promise<void> {
    await this.#flows.save(trial.id, { userId: trial.userId, value: trial.toState() })
  }

  async find(id: string): Promise<Trial | null> {
    const found = await this.#flows.find(id)
    return found && new Trial(id, found.userId, found.value)
  }
}
