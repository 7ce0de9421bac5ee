import type { OAuthStep } from '#contract/oauth.ts'
import { nowSeconds } from '../../lib/ids.ts'
import { isRecord } from '../../lib/is-record.ts'
import { CLIENT_KEYS, REDIRECT_KEYS, toDescriptionAddress, type Provider } from './providers.ts'
import { SignInFailure, type FailureFacts } from './sign-in-failure.ts'

const SECRET_KEYS = {
  idpa: 'IDPA_CLIENT_SECRET',
  idpb: 'IDPB_CLIENT_SECRET',
  idpc: 'IDPC_CLIENT_SECRET',
  oidc: 'OAUTH_CLIENT_SECRET',
} as const
const SCOPE_KEYS = {
  idpa: 'IDPA_OAUTH_SCOPE',
  idpb: 'IDPB_OAUTH_SCOPE',
  idpc: 'IDPC_OAUTH_SCOPE',
  oidc: 'OAUTH_SCOPES',
} as const

/** The known parts of an error of the OpenID libraries. */
interface ErrorFacts {
  /** Codes of the error itself and of its causes. */
  readonly codes: readonly string[]
  /** OAuth error code returned by a provider. */
  readonly error: string
  readonly status: number | null
  readonly claim: string
  /** Time when the token claims to have been issued, in unix seconds. */
  readonly madeAt: number | null
  readonly text: string
}

function readError(thrown: unknown): ErrorFacts {
  const facts: { -readonly [Name in keyof ErrorFacts]: ErrorFacts[Name] } = {
    codes: [],
    error: '',
    status: null,
    claim: '',
    madeAt: null,
    text: '',
  }
  const texts: string[] = []
  for (
    let error = thrown, depth = 0;
    error instanceof Error && depth < 5;
    error = error.cause, depth += 1
  ) {
    const {
      code,
      error: word,
      status,
      claim,
    } = error as { code?: unknown; error?: unknown; status?: unknown; claim?: unknown }
    if (typeof code === 'string') facts.codes = [...facts.codes, code]
    if (facts.error === '' && typeof word === 'string') facts.error = word
    if (facts.status === null && typeof status === 'number') facts.status = status
    if (facts.status === null && error.cause instanceof Response) facts.status = error.cause.status
    facts.madeAt ??= readMadeAt(error)
    // The libraries report the mismatched claim beside the error.
    const said = typeof claim === 'string' ? claim : readClaimName(error.cause)
    if (facts.claim === '' && said !== null) facts.claim = said
    texts.push(error.message)
  }
  return { ...facts, text: [...new Set(texts)].join(': ').slice(0, 500) }
}

const readClaimName = (cause: unknown): string | null =>
  typeof cause === 'object' && cause !== null && 'claim' in cause && typeof cause.claim === 'string'
    ? cause.claim
    : null

/**
 * The libraries return the claims of a refused token as `payload` of the error, or as `claims` of
 * its cause.
 */
function readMadeAt(error: Error): number | null {
  const claims =
    'payload' in error ? error.payload : isRecord(error.cause) ? error.cause['claims'] : null
  return isRecord(claims) && typeof claims['iat'] === 'number' ? claims['iat'] : null
}

const BY_NETWORK: Readonly<Record<string, string>> = {
  ECONNREFUSED:
    'Nothing answers at this address. Check its host and port, and whether the provider runs.',
  ENOTFOUND: 'Nobody knows this host. Check its name.',
  EAI_AGAIN: 'Nobody knows this host. Check its name.',
  UND_ERR_CONNECT_TIMEOUT:
    'Nothing answers at this address. Check its host and port, and the firewall between.',
  CERT_HAS_EXPIRED: 'Its certificate has ended. Renew it at the provider.',
  ERR_TLS_CERT_ALTNAME_INVALID:
    'Its certificate is for another name. Use the name the certificate is for.',
  DEPTH_ZERO_SELF_SIGNED_CERT:
    'Its certificate is not trusted here. Start the gateway with NODE_EXTRA_CA_CERTS=<file>.',
  SELF_SIGNED_CERT_IN_CHAIN:
    'Its certificate is not trusted here. Start the gateway with NODE_EXTRA_CA_CERTS=<file>.',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    'Its certificate is not trusted here. Start the gateway with NODE_EXTRA_CA_CERTS=<file>.',
}

const isTimeout = (thrown: unknown): boolean => {
  for (let error = thrown; error instanceof Error; error = error.cause)
    if (/Timeout|Abort/.test(error.name)) return true
  return false
}

type Remedy = Pick<FailureFacts, 'remedy' | 'settings'>

function explainToken({ error, status }: ErrorFacts, { id }: Provider): Remedy | null {
  if (error === 'invalid_client' || error === 'unauthorized_client' || status === 401)
    return {
      remedy:
        'The provider does not accept client id or secret. Copy both anew from the provider; the secret may have ended.',
      settings: [CLIENT_KEYS[id], SECRET_KEYS[id]],
    }
  if (error === 'redirect_uri_mismatch')
    return {
      remedy: 'Register the redirect address shown here at the provider, letter by letter.',
      settings: [REDIRECT_KEYS[id], 'WEBUI_URL'],
    }
  if (error === 'invalid_grant')
    return {
      remedy:
        'The provider does not accept the code: it was used before, took too long, or the redirect address is not the registered one. Begin anew.',
      settings: [REDIRECT_KEYS[id], 'WEBUI_URL'],
    }
  return null
}

const isAboutTime = ({ codes, claim, text }: ErrorFacts): boolean =>
  /TIMESTAMP|EXPIRED/.test(codes.join(' ')) ||
  /\b(exp|iat|nbf)\b/.test(claim) ||
  /"(exp|iat|nbf)"/.test(text)

function explainClaim(facts: ErrorFacts, { id }: Provider): Remedy | null {
  const { codes, claim, text } = facts
  const code = codes.join(' ')
  if (isAboutTime(facts))
    return {
      remedy:
        'The clocks of gateway and provider differ by more than a minute. Set both by a time server.',
      settings: [],
    }
  if (claim === 'iss' || /"iss"|issuer/i.test(text))
    return {
      remedy:
        'The provider calls itself otherwise than its description at the address that is set. Use the address of its own name.',
      settings: [id === 'oidc' ? 'OPENID_PROVIDER_URL' : `${id.toUpperCase()}_PROVIDER_URL`],
    }
  if (claim === 'aud' || /"aud"|audience/i.test(text))
    return {
      remedy: 'The token was made for another client. Check the client id.',
      settings: [CLIENT_KEYS[id]],
    }
  if (claim === 'nonce' || /nonce/i.test(text))
    return { remedy: 'The answer belongs to another sign-in. Begin anew.', settings: [] }
  if (/signature|JWS|alg/i.test(`${code} ${text}`))
    return {
      remedy:
        'The token is not signed with a key the provider publishes. Check its keys, and that it signs with RS256 or the like.',
      settings: [],
    }
  return null
}

const SENTENCES: Readonly<Partial<Record<OAuthStep, (name: string) => string>>> = {
  discovery: (name) =>
    `${name} cannot be reached right now. Try again later, or tell an administrator.`,
  token: (name) => `${name} did not accept the sign-in. Try again, or tell an administrator.`,
  id_token: (name) =>
    `The answer of ${name} could not be trusted. Try again, or tell an administrator.`,
  userinfo: (name) => `${name} did not say who you are. Try again, or tell an administrator.`,
}

/** Describes the request for the metadata and the status of its response. */
const describeStatus = (
  step: OAuthStep,
  { status }: ErrorFacts,
  { discoveryUrl }: Provider,
): string =>
  step === 'discovery' && status !== null && discoveryUrl !== null
    ? `${toDescriptionAddress(discoveryUrl)} answered with the status ${status}`
    : ''

/** Describes the clock difference, as far as a token issued a moment ago shows it. */
const describeAge = (step: OAuthStep, facts: ErrorFacts): string =>
  step === 'id_token' && facts.madeAt !== null && isAboutTime(facts)
    ? `By the clock of the gateway, the token was made ${nowSeconds() - facts.madeAt} seconds ago`
    : ''

/**
 * Converts any error of a step to a failure with a sentence for the user, and facts and advice for
 * administrators.
 */
export function toFailure(step: OAuthStep, thrown: unknown, provider: Provider): SignInFailure {
  if (thrown instanceof SignInFailure) return thrown
  const facts = readError(thrown)
  const sentence =
    SENTENCES[step]?.(provider.name) ??
    `The sign-in with ${provider.name} did not work. Try again, or tell an administrator.`
  const settings =
    provider.id === 'idpc'
      ? ['IDPC_TOKEN_URL', 'IDPC_API_URL']
      : [
          provider.id === 'oidc'
            ? 'OPENID_PROVIDER_URL'
            : `${provider.id.toUpperCase()}_PROVIDER_URL`,
        ]
  const network = facts.codes.find((code) => Object.hasOwn(BY_NETWORK, code))
  const remedy: Remedy = (network !== undefined && { remedy: BY_NETWORK[network]!, settings }) ||
    (isTimeout(thrown) && {
      remedy: 'The provider took too long to answer. Raise OAUTH_TIMEOUT, or look at the provider.',
      settings: ['OAUTH_TIMEOUT'],
    }) ||
    (step === 'token' && explainToken(facts, provider)) ||
    (step === 'userinfo' && {
      remedy: 'Ask for the scopes that tell name and e-mail address.',
      settings: [SCOPE_KEYS[provider.id]],
    }) ||
    explainClaim(facts, provider) || {
      remedy:
        step === 'discovery'
          ? 'Check each part of the address, such as the name of the realm or tenant. Opened in a browser, it has to show a JSON document with an issuer.'
          : 'Look into the log of the provider.',
      settings,
    }
  const words = [
    describeStatus(step, facts, provider),
    describeAge(step, facts),
    facts.error,
    facts.text,
  ]
  const detail = words.filter((text) => text !== '').join(': ')
  return new SignInFailure(step, sentence, { detail: detail || sentence, ...remedy, cause: thrown })
}

/**
 * Returns the failure for a browser that the provider sent back without a code. The provider's text
 * is shown on no page, because any client can forge it.
 */
export function toRefusal(error: string, provider: Provider): SignInFailure {
  const { name, id } = provider
  const fail = (sentence: string, remedy: string, settings: string[] = []): SignInFailure =>
    new SignInFailure('authorization', sentence, {
      detail: `The provider answered ${JSON.stringify(error.slice(0, 100))}.`,
      remedy,
      settings,
    })
  switch (error) {
    case 'access_denied':
      return fail(
        `The sign-in with ${name} was cancelled.`,
        'The person refused, or may not use this application. Check who may at the provider.',
      )
    case 'login_required':
    case 'interaction_required':
    case 'consent_required':
    case 'account_selection_required':
      return fail(
        `${name} wants you to sign in there first.`,
        'Leave "prompt" out of the parameters, or do not set it to "none".',
        ['IDPA_OAUTH_AUTHORIZE_PARAMS'],
      )
    case 'invalid_scope':
      return fail(
        `${name} did not accept the sign-in. Tell an administrator.`,
        'The provider does not know one of the scopes.',
        [SCOPE_KEYS[id]],
      )
    case 'unauthorized_client':
    case 'invalid_client':
      return fail(
        `${name} did not accept the sign-in. Tell an administrator.`,
        'The provider does not know the client id, or does not let it use the code flow.',
        [CLIENT_KEYS[id]],
      )
    case 'temporarily_unavailable':
    case 'server_error':
      return fail(
        `${name} cannot sign anybody in right now. Try again later.`,
        'The provider has a fault of its own. Look into its log.',
      )
    default:
      return fail(
        `${name} did not sign you in. Try again, or tell an administrator.`,
        'Look into the log of the provider.',
      )
  }
}
