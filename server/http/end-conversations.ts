import { once } from 'node:events'
import type { Server } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from '../context.ts'
import { unavailable } from '../lib/errors.ts'
import type { OpenReplies } from './open-replies.ts'

/**
 * Time for stopped answers to be saved, and for plugins and files to end: their workers are killed
 * slightly earlier.
 */
const END_MILLISECONDS = 1100
/** Time for the last frames of replies to be sent. */
const FLUSH_MILLISECONDS = 300
/**
 * Maximum grace period of the desktop app, whatever is configured for servers, because quitting
 * must not hang.
 */
const DESKTOP_GRACE_SECONDS = 3
/** Time after the grace period; anything that takes longer is cut off by the end of the process. */
const AFTER_GRACE_MILLISECONDS = 1900

const STOPPED =
  'The gateway was stopped while this answer was being written. Try again in a moment.'

/** Returns how long running answers may continue after a stop is requested. */
function readGrace({ settings, config }: Context): number {
  const seconds = settings.get('SHUTDOWN_GRACE')
  return 1000 * (config.mode === 'desktop' ? Math.min(seconds, DESKTOP_GRACE_SECONDS) : seconds)
}

/** Returns the maximum duration of a stop. */
export const readStopLimit = (context: Context): number =>
  readGrace(context) + AFTER_GRACE_MILLISECONDS

const within = async (milliseconds: number, work: Promise<unknown>): Promise<void> => {
  await Promise.race([work, sleep(milliseconds, null, { ref: false })])
}

/**
 * Lets running answers continue for a while, then ends them: owned ones with their text saved, the
 * others as if their upstream had failed, so that each one reports it in its own format. New
 * requests are rejected with an error message meanwhile, so the listener closes last.
 */
export async function endConversations(
  context: Context,
  server: Server,
  replies: OpenReplies,
): Promise<void> {
  const {
    code,
    completions,
    events,
    files,
    images,
    log,
    plugins,
    providers,
    requests,
    socketIo,
    tasks,
  } = context
  const closed = once(server, 'close')
  completions.close()
  requests.close()
  replies.closeConnections()
  const grace = readGrace(context)
  await Promise.all([tasks.settle(grace), replies.settle(grace)])
  const stopped = unavailable(STOPPED, {
    code: 'shutdown',
    headers: { 'Retry-After': '5', Connection: 'close' },
  })
  // Tasks first: the work they wait for then ends because it was stopped, not because it failed.
  const parts = [code.close(), plugins.close(), files.close(), images.close()]
  const ending = [tasks.drain(END_MILLISECONDS), providers.close(stopped), ...parts]
  await within(END_MILLISECONDS, Promise.all(ending))
  await replies.settle(FLUSH_MILLISECONDS)
  events.close()
  await socketIo.close()
  server.close()
  server.closeIdleConnections()
  replies.endAll(stopped, log)
  await within(FLUSH_MILLISECONDS, closed)
  server.closeAllConnections()
}
