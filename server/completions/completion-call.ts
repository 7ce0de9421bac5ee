import type { completionEndpoints } from '#contract/completions.ts'
import type { HttpCall } from '../lib/http.ts'

export type CompletionCall = HttpCall<typeof completionEndpoints.chatCompletions>
