import type { ChatCompletionRequest, Source } from '#contract/completions.ts'
import type { CallNotes } from '../../lib/serving/call-notes.ts'
import type { CallOrigin } from '../../lib/call-origin.ts'
import type { Caller } from '../../lib/http.ts'
import { toServiceError } from '../../lib/serving/to-error.ts'
import type { ResolvedModel } from '../../extensions/resolved-model.ts'
import type { Models } from '../../models/index.ts'
import type { CompletionFrame, FrameSink, FrameStream } from '../../providers/index.ts'
import { generateStateless } from '../deliver/collect-answer.ts'
import type { Exchange } from '../exchange.ts'
import type { Prepared } from '../prepare/prepare-stateless.ts'
import { toProviderCall } from '../generate/provider-call.ts'

/** Dependencies that dialects share with the pipeline of chat completions. */
export interface DialectParts {
  readonly models: Pick<Models, 'resolve'>
  /**
   * Prepares a converted request for its model; returns the same object if there was nothing to do.
   */
  readonly prepare: (
    request: ChatCompletionRequest,
    about: {
      caller: Caller
      resolved: ResolvedModel
      signal: AbortSignal
      headers: CallOrigin['headers']
      notes: CallNotes | null
      keepsLinkedDocuments?: boolean
    },
  ) => Prepared | Promise<Prepared>
  /** Decides about the documents that `keepsLinkedDocuments` left as they came. */
  readonly readLinkedDocuments: (prepared: Prepared) => Promise<Prepared>
}

/**
 * Returns the sources of an answer as a field that clients of other formats ignore; no field if
 * there are none.
 */
export const toSourcesField = ({
  findings: { sources },
}: Exchange): { sources?: readonly Source[] } => (sources.length > 0 ? { sources } : {})

/**
 * Requests a stream; frames that arrived together stay together, unless tools or filters process
 * each one.
 */
export function streamCall(prepared: Prepared): Promise<FrameStream> {
  const { resolved, belt, filters, eventTexts } = prepared.exchange
  const isUnread = !belt && filters.length === 0 && (eventTexts === null || eventTexts.isEmpty)
  if (isUnread && resolved.provider.openFrames)
    return resolved.provider.openFrames(toProviderCall(prepared.exchange, prepared.request))
  return Promise.resolve(toFrameStream(generateStateless(prepared)))
}

/** Adapts single frames to a stream for a sink. */
function toFrameStream(frames: AsyncGenerator<CompletionFrame, void, void>): FrameStream {
  let hold: PromiseWithResolvers<void> | null = null
  async function pump(sink: FrameSink): Promise<void> {
    try {
      for await (const frame of frames) {
        sink.onFrames([frame])
        if (hold) await hold.promise
      }
    } catch (error) {
      sink.onEnd(toServiceError(error))
      return
    }
    sink.onEnd(null)
  }
  function resume(): void {
    hold?.resolve()
    hold = null
  }
  return {
    read: (sink) => void pump(sink),
    pause: () => void (hold ??= Promise.withResolvers<void>()),
    resume,
    abort() {
      resume()
      void frames.return()
    },
  }
}
