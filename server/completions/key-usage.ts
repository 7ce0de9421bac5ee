import type { Auth } from '../auth/index.ts'
import type { CompletionsDependencies } from './completions-parts.ts'

/** Counts tokens for API keys with a token limit. */
export const createKeyUsage = (auth: Auth): CompletionsDependencies['usage'] => ({
  isCounted: ({ keyId }) => keyId !== null && auth.apiKeys.hasTokenCap(keyId),
  count: ({ keyId }, tokens) =>
    void (keyId !== null && auth.keyUses.addTokens(keyId, tokens.total_tokens)),
})
