import type { Auth } from '../auth/index.ts'
import type { CompletionsDependencies } from './completions-parts.ts'

/** Counts tokens for keys that may use only so many. */
export const createKeyUsage = (auth: Auth): CompletionsDependencies['usage'] => ({
  isCounted: ({ keyId }) => keyId !== null && auth.hasTokenCap(keyId),
  count: ({ keyId }, tokens) =>
    void (keyId !== null && auth.countUsage(keyId, tokens.total_tokens)),
})
