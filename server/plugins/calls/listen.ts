import type { CallOrigin } from '../../lib/call-origin.ts'
import { isRecord } from '../../lib/is-record.ts'
import type { Logger } from '../../lib/logger.ts'
import type { Settings } from '../../settings/index.ts'
import type { Users } from '../../users/index.ts'
import type { AnswerHost } from '../host-request.ts'
import { requireActive } from '../require-active.ts'
import { callEnded } from '../worker/answer-requests.ts'
import type { HookCall } from './hook-call.ts'
import { stateOf } from './request-state.ts'
import { Speaker } from './speak.ts'
import type { PluginRecord } from '../store.ts'
import type { OpenTrace } from './traces.ts'
import { ADMINISTRATORS, domainOf } from '../trust-domain.ts'
import type { CallListeners } from '../worker/worker.ts'

export interface ListenDependencies {
  readonly users: Pick<Users, 'get'>
  readonly settings: Settings<'ENABLE_PLUGIN_EXECUTE' | 'WEBSOCKET_EVENT_CALLER_TIMEOUT'>
  readonly answerHost: AnswerHost
  readonly log: Logger
}

const LONGEST_NOTICE = 1000

/**
 * Handles the output of a running call: events to the user, prints to the trace, requests to the
 * gateway as the calling user.
 */
export function listenTo(
  { users, settings, answerHost, log }: ListenDependencies,
  record: PluginRecord,
  call: Omit<HookCall, 'record' | 'op'>,
  trace: OpenTrace,
): CallListeners {
  const { caller, origin, tools, onItems, tell } = call
  const plugin = { store: record.store, id: record.id }
  // Of the users who can install plugins, only administrators are trusted with code in pages.
  const isTrusted = async (): Promise<boolean> => (await domainOf(users, record)) === ADMINISTRATORS
  const mayExecute = async (): Promise<boolean> =>
    settings.get('ENABLE_PLUGIN_EXECUTE') && (await isTrusted())
  const callTimeout = (): number => settings.get('WEBSOCKET_EVENT_CALLER_TIMEOUT') * 1000
  const speakThrough = (recipient: CallOrigin['tell'] | undefined): CallListeners => {
    const speaker = new Speaker({ plugin, origin, tell: recipient, mayExecute, callTimeout, log })
    return {
      onEvent(event) {
        trace.event(event)
        speaker.tell(event)
      },
      onLog: (told) => trace.log(told),
      onNotice: (notice) =>
        trace.log({
          stream: 'host',
          level: 'warning',
          lines: [JSON.stringify(notice).slice(0, LONGEST_NOTICE)],
        }),
      async request(method, params, signal) {
        requireActive(caller)
        if (method !== 'event_call') throw callEnded()
        trace.event({ call: params['data'] })
        return speaker.ask(params['data'], signal)
      },
    }
  }
  const speaking = speakThrough(tell)
  return {
    ...speaking,
    ...(origin?.lifetime && {
      answer: { scope: stateOf(origin).scope, lifetime: origin.lifetime },
      afterwards: speakThrough((event) => stateOf(origin).contact.tell(event)),
    }),
    onChunkFailed({ message, details: { type, traceback } }) {
      const lines = [`${type}: ${message}`, ...(traceback ?? '').trimEnd().split('\n')]
      trace.log({ stream: 'host', level: 'error', lines: lines.filter((line) => line !== '') })
    },
    onItems,
    async request(method, params, signal) {
      if (method === 'event_call') return speaking.request(method, params, signal)
      requireActive(caller)
      if (method === 'tools.call' && tools) {
        return tools.call(
          String(params['name']),
          isRecord(params['arguments']) ? params['arguments'] : {},
          signal,
        )
      }
      return answerHost({ method, params, caller, plugin, origin, signal })
    },
  }
}
