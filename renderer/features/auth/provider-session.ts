import { call, endpoints, toUrl } from '../../api/client.ts'
import { toSentence } from '../../api/api-error.ts'
import { currentPath, currentRoute, navigate } from '../../lib/router.ts'

/** Returns a path of the UI; null for one that could lead to another origin. */
const toOwnPath = (path: string | null): string | null =>
  path !== null && /^\/(?![/\\])/.test(path) ? path : null

/**
 * Returns the target after a sign-in with a provider: the current route, or the one the sign-in
 * page was opened for.
 */
function returnPath(): string | undefined {
  if (currentRoute().name !== 'auth') return currentPath()
  return toOwnPath(new URLSearchParams(location.search).get('redirect')) ?? undefined
}

/** Returns the URL that starts a sign-in with a provider. */
export const providerSignInUrl = (provider: string): string =>
  toUrl(endpoints.oauth.login, { params: { provider }, query: { redirect: returnPath() } })

/** Maximum length of an error in the URL, as anyone can craft such a link. */
const LONGEST_PROBLEM = 500

/** Returns the reason the provider sent the browser back without a session. */
export function readProviderProblem(): string | null {
  const problem =
    currentRoute().name === 'auth' ? new URLSearchParams(location.search).get('error') : null
  return problem ? problem.slice(0, LONGEST_PROBLEM) : null
}

/**
 * Completes a sign-in with a provider: exchanges the code in the URL's fragment for the half of the
 * session that this page stores, and navigates to the original target. Resolves with the message of
 * a failure.
 */
export async function finishProviderSignIn(): Promise<string | null> {
  const code = new URLSearchParams(location.hash.slice(1)).get('code')
  if (code === null || currentRoute().name !== 'auth') return null
  const target = returnPath() ?? '/'
  // The code is single-use, so it is removed from the history.
  history.replaceState(null, '', currentPath())
  try {
    await call(endpoints.oauth.session, { body: { code } })
  } catch (thrown) {
    return toSentence(thrown)
  }
  navigate(target, { replace: true })
  return null
}
