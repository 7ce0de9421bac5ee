import type { Auth } from '../auth/index.ts'
import type { CompletionsDependencies, KeptTokens } from './completions-parts.ts'

const UNCOUNTED: KeptTokens = { settle: () => undefined }

/** Counts tokens for API keys with a token limit. */
export const createKeyUsage = ({ apiKeys }: Auth): CompletionsDependencies['usage'] => ({
  isCounted: ({ keyId }) => keyId !== null && apiKeys.hasTokenCap(keyId),
  reserve: ({ keyId }, expected) =>
    keyId === null ? UNCOUNTED : apiKeys.reserveTokens(keyId, expected),
})
