import { runInNewContext } from 'node:vm'
import { badRequest } from '../lib/errors.ts'
import type { Settings } from '../settings/index.ts'

/**
 * Wall-clock limit, which also runs while a busy machine does not schedule the process: a shorter
 * one would refuse good passwords there.
 */
const LONGEST_MILLISECONDS = 250
const BUILT_IN = [/^.{8,}$/su, /\p{Ll}/u, /\p{Lu}/u, /\d/, /[^\p{L}\d\s]/u] as const
const BUILT_IN_WORDS =
  'A password needs eight characters, with a lower and an upper case letter, a digit and a sign.'

/**
 * Tests a password; an administrator's expression may be slow for some texts, so it is aborted
 * after the time limit.
 */
function fits(pattern: string, password: string): boolean {
  try {
    return (
      runInNewContext(
        'new RegExp(pattern).test(password)',
        { pattern, password },
        { timeout: LONGEST_MILLISECONDS },
      ) === true
    )
  } catch (cause) {
    throw badRequest(
      'The rule for passwords of this gateway cannot be applied. Tell an administrator.',
      { cause, code: 'invalid_rule' },
    )
  }
}

/**
 * Creates the check of new passwords against the rule of `ENABLE_PASSWORD_VALIDATION`, while that
 * is enabled.
 */
export function createPasswordRule(
  settings: Settings<
    'ENABLE_PASSWORD_VALIDATION' | 'PASSWORD_VALIDATION_HINT' | 'PASSWORD_VALIDATION_REGEX_PATTERN'
  >,
): (password: string) => void {
  return (password) => {
    if (!settings.get('ENABLE_PASSWORD_VALIDATION')) return
    const pattern = settings.get('PASSWORD_VALIDATION_REGEX_PATTERN')
    const isFit =
      pattern === '' ? BUILT_IN.every((rule) => rule.test(password)) : fits(pattern, password)
    if (isFit) return
    const hint =
      settings.get('PASSWORD_VALIDATION_HINT') ||
      (pattern === '' ? BUILT_IN_WORDS : 'The password does not fit the rule of this gateway.')
    throw badRequest(hint, { code: 'weak_password' })
  }
}
