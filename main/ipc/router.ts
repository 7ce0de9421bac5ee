import type { BrowserWindow, IpcMainInvokeEvent } from 'electron'
import { requests, type IpcReply, type RequestName, type RequestOutput } from '#desktop'
import type { z } from 'zod'
import type { Logger } from '../profile/log.ts'

export interface HandlerContext {
  /** Window that sent the request. */
  readonly window: BrowserWindow
}

type ParsedInput<Name extends RequestName> = z.output<(typeof requests)[Name]['input']>

/** One handler per request of the contract. */
export type RequestHandlers = {
  readonly [Name in RequestName]: (
    input: ParsedInput<Name>,
    context: HandlerContext,
  ) => RequestOutput<Name> | Promise<RequestOutput<Name>>
}

export interface RouterOptions {
  readonly handlers: RequestHandlers
  /**
   * Returns the window whose top frame sent the event from the gateway's origin, or null for any
   * other sender.
   */
  readonly trustedWindow: (event: IpcMainInvokeEvent) => BrowserWindow | null
  readonly log: Logger
}

const refuse = (code: string, message: string): IpcReply => ({
  ok: false,
  error: { code, message },
})

const isRequestName = (name: unknown): name is RequestName =>
  typeof name === 'string' && Object.hasOwn(requests, name)

/**
 * Checks the sender and the input, calls the handler, and checks its result. Failures are returned
 * as values, never as rejections.
 */
export function createRouter({ handlers, trustedWindow, log }: RouterOptions) {
  return async (event: IpcMainInvokeEvent, name: unknown, input: unknown): Promise<IpcReply> => {
    const window = trustedWindow(event)
    if (!window)
      return refuse('untrusted_sender', 'This page is not allowed to use the desktop app.')
    if (!isRequestName(name))
      return refuse('unknown_request', 'The desktop app does not know this request.')
    const parsed = requests[name].input.safeParse(input)
    if (!parsed.success) return refuse('invalid_input', `The input of ${name} is not valid.`)
    try {
      const handler = handlers[name] as (input: unknown, context: HandlerContext) => unknown
      return {
        ok: true,
        output: requests[name].output.parse(await handler(parsed.data, { window })),
      }
    } catch (error) {
      log.error({ error, name }, 'request of the window failed')
      return refuse('failed', 'The desktop app could not do this. The log has the details.')
    }
  }
}
