import type { CallOrigin } from '../lib/call-origin.ts'

/**
 * Returns a request of a user without a chat and a window; `told` collects the events that would be
 * shown.
 */
export function createTestOrigin(
  own: Partial<CallOrigin> = {},
): CallOrigin & { readonly told: unknown[] } {
  const told: unknown[] = []
  return {
    caller: {
      userId: 'somebody',
      role: 'user',
      name: 'Somebody',
      email: 'somebody@example.com',
      credential: 'bearer',
      keyId: null,
    },
    sent: { model: 'text', messages: [] },
    task: null,
    chatId: null,
    messageId: null,
    sessionId: null,
    signal: new AbortController().signal,
    tell: (event) => void told.push(event),
    allTold: () => Promise.resolve(),
    ask: () => Promise.reject(new Error('No user can be asked.')),
    ...own,
    told,
  }
}
