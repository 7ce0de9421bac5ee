import { call, endpoints, toUrl } from '../../api/client.ts'
import { toSentence } from '../../api/api-error.ts'
import { currentPath, currentRoute, navigate } from '../../lib/router.ts'

/** A path of this interface; what could lead anywhere else is passed over. */
const toOwnPath = (path: string | null): string | null =>
  path !== null && /^\/(?![/\\])/.test(path) ? path : null

/**
 * Where a sign-in with a provider ends: the place that is shown, or the one the sign-in page was
 * opened for.
 */
function returnPath(): string | undefined {
  if (currentRoute().name !== 'auth') return currentPath()
  return toOwnPath(new URLSearchParams(location.search).get('redirect')) ?? undefined
}

/** The address that begins a sign-in with a provider. */
export const providerSignInUrl = (provider: string): string =>
  toUrl(endpoints.oauth.login, { params: { provider }, query: { redirect: returnPath() } })

/** Anybody can write a link with an error in it, so it is never long. */
const LONGEST_PROBLEM = 500

/** Why the provider sent the browser back without a session. */
export function readProviderProblem(): string | null {
  const problem =
    currentRoute().name === 'auth' ? new URLSearchParams(location.search).get('error') : null
  return problem ? problem.slice(0, LONGEST_PROBLEM) : null
}

/**
 * Finishes a sign-in with a provider: exchanges the code in the fragment of the address for the
 * half of the session that this page keeps, and goes on to where the person wanted to be. Answers
 * the sentence of a failure.
 */
export async function finishProviderSignIn(): Promise<string | null> {
  const code = new URLSearchParams(location.hash.slice(1)).get('code')
  if (code === null || currentRoute().name !== 'auth') return null
  const target = returnPath() ?? '/'
  // The code works once, so it does not stay in the history.
  history.replaceState(null, '', currentPath())
  try {
    await call(endpoints.oauth.session, { body: { code } })
  } catch (thrown) {
    return toSentence(thrown)
  }
  navigate(target, { replace: true })
  return null
}
