import { toForwardedHeaders } from '../../lib/outgoing/forwarded-headers.ts'
import type { Caller } from '../../lib/http.ts'
import { whenReady } from '../../lib/timing/when-ready.ts'
import type { Models } from '../../models/index.ts'
import type { CompletionCall, Provider } from '../../providers/index.ts'
import type { CompletionsSettings } from '../completions-settings.ts'

type Resolve = Models['resolve']
type MakeHeaders = (call: Pick<CompletionCall, 'origin'>) => Record<string, string>

/**
 * Resolves models whose providers receive the identity of the user, if that is switched on;
 * otherwise returns them unchanged.
 */
export function tellProviders(
  models: Pick<Models, 'resolve'>,
  settings: CompletionsSettings,
): Resolve {
  return (caller, id, place) =>
    whenReady(models.resolve(caller, id, place), (found) =>
      settings.get('ENABLE_FORWARD_USER_INFO_HEADERS')
        ? { ...found, provider: tellProvider(found.provider, createHeaders(caller, settings)) }
        : found,
    )
}

const createHeaders =
  (caller: Caller, settings: CompletionsSettings): MakeHeaders =>
  ({ origin }) =>
    toForwardedHeaders(settings, {
      caller,
      chatId: origin?.chatId ?? null,
      messageId: origin?.messageId ?? null,
    })

function tellProvider(provider: Provider, makeHeaders: MakeHeaders): Provider {
  const tell = <Call extends Pick<CompletionCall, 'origin' | 'headers'>>(call: Call): Call => ({
    ...call,
    headers: { ...makeHeaders(call), ...call.headers },
  })
  const { messages, text } = provider
  return {
    ...provider,
    stream: (call) => provider.stream(tell(call)),
    complete: (call) => provider.complete(tell(call)),
    ...(provider.openFrames && { openFrames: (call) => provider.openFrames!(tell(call)) }),
    ...(provider.relay && { relay: (call) => provider.relay!(tell(call)) }),
    ...(text && {
      text: {
        ...text,
        stream: (call) => text.stream(tell(call)),
        complete: (call) => text.complete(tell(call)),
      },
    }),
    ...(messages && {
      messages: {
        relay: (call) => messages.relay(tell(call)),
        countTokens: (body, signal) => messages.countTokens(body, signal),
      },
    }),
  }
}
