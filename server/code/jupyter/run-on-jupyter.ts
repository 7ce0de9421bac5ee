import { randomUUID } from 'node:crypto'
import { z } from '#contract/lazy-zod.ts'
import { CODE_SENTENCES, type CodeResult } from '#contract/code.ts'
import { parseOrNull } from '../../lib/json/parse-or-null.ts'
import { leaveBody, readWhole, type OutgoingFetch } from '../../lib/outgoing/outgoing-fetch.ts'
import { way } from '../../lib/outgoing/outgoing-socket.ts'
import { because } from '../../lib/outgoing/purpose.ts'
import { KernelReader, type KernelOutput } from './kernel-output.ts'
import { signIn, type JupyterServer } from './sign-in.ts'

const CONNECT_MILLISECONDS = 10_000
const LARGEST_MESSAGE = 16 * 1024 * 1024
const LARGEST_REPLY = 1024 * 1024
const kernelSchema = z.object({ id: z.string().regex(/^[\w-]{1,100}$/) })

export interface JupyterRun {
  readonly server: JupyterServer
  readonly code: string
  readonly outputLimit: number
  readonly signal: AbortSignal
}

export type JupyterOutcome = KernelOutput & { readonly status: CodeResult['status'] }

/** A server that accepted the gateway's sign-in. */
interface Place {
  readonly server: JupyterServer
  readonly headers: Readonly<Record<string, string>>
}

/** A running kernel and its server. */
export interface OpenKernel extends Place {
  readonly id: string
}

/**
 * Runs code in the current kernel, else in a new one, which is kept from then on. Errors are
 * returned as text in `stderr`; a run that was aborted ends its kernel.
 */
export async function runOnJupyter(
  outgoing: OutgoingFetch,
  run: JupyterRun,
  held: { kernel: OpenKernel | null },
): Promise<JupyterOutcome> {
  const server = { ...run.server, url: run.server.url.replace(/\/+$/, '') }
  const late = AbortSignal.timeout(server.timeoutMs)
  const signal = AbortSignal.any([run.signal, late])
  const reader = new KernelReader(randomUUID(), run.outputLimit)
  try {
    if (server.url === '') throw new Error('No address of a Jupyter server is set.')
    const place = { server, headers: await signIn(outgoing, server, signal) }
    held.kernel = await findKernel(outgoing, place, { held: held.kernel, signal })
    await execute(held.kernel, { run, reader, signal })
    const output = reader.end()
    return { ...output, status: output.error ? 'error' : 'ok' }
  } catch (error) {
    const { kernel } = held
    held.kernel = null
    if (kernel) await endKernel(outgoing, kernel)
    const status = run.signal.aborted ? 'stopped' : late.aborted ? 'timeout' : 'failed'
    const output = reader.end()
    return { ...output, stderr: joinLines(output.stderr, explain(status, server, error)), status }
  }
}

const joinLines = (above: string, line: string): string =>
  above === '' ? line : `${above.trimEnd()}\n${line}`

function explain(
  status: 'stopped' | 'timeout' | 'failed',
  { timeoutMs }: JupyterServer,
  error: unknown,
): string {
  if (status === 'stopped') return CODE_SENTENCES.stopped
  if (status === 'timeout') return CODE_SENTENCES.timeout(timeoutMs / 1000)
  if (!(error instanceof Error)) return 'The Jupyter server failed.'
  const cause = error.cause instanceof Error ? ` (${error.cause.message})` : ''
  // The message of a failed request says nothing more than that.
  return error instanceof TypeError
    ? `The Jupyter server cannot be reached, or it broke off its answer${cause}.`
    : `${error.message}${cause}`
}

const isSame = (one: JupyterServer, other: JupyterServer): boolean =>
  one.url === other.url &&
  one.auth === other.auth &&
  one.token === other.token &&
  one.password === other.password

/**
 * Returns the current kernel while its server still has it; a kernel of another server is ended
 * there.
 */
async function findKernel(
  outgoing: OutgoingFetch,
  place: Place,
  { held, signal }: { held: OpenKernel | null; signal: AbortSignal },
): Promise<OpenKernel> {
  if (held && isSame(held.server, place.server)) {
    const { headers, server } = place
    const reply = await outgoing.fetch(`${server.url}/api/kernels/${held.id}`, { headers, signal })
    await leaveBody(reply)
    if (reply.ok) return { ...place, id: held.id }
  } else if (held) await endKernel(outgoing, held)
  return { ...place, id: await startKernel(outgoing, place, signal) }
}

async function startKernel(
  outgoing: OutgoingFetch,
  { server, headers }: Place,
  signal: AbortSignal,
): Promise<string> {
  const reply = await outgoing.fetch(`${server.url}/api/kernels`, {
    method: 'POST',
    headers: { ...headers, 'Content-Type': 'application/json' },
    body: '{}',
    signal,
  })
  const { status } = reply
  const failed = (): Error =>
    new Error(`The Jupyter server did not start a kernel (status ${status}).`)
  if (!reply.ok) {
    await leaveBody(reply)
    if (status === 401 || status === 403 || (status >= 300 && status < 400))
      throw new Error(
        'The Jupyter server does not let the gateway in. Check its token or password.',
      )
    throw failed()
  }
  const text = (await readWhole(reply, LARGEST_REPLY, failed)).toString('utf8')
  const kernel = kernelSchema.safeParse(parseOrNull(text)).data
  if (!kernel) throw failed()
  return kernel.id
}

/**
 * Ends a kernel, also for runs that ended for other reasons; errors are ignored, because a server
 * that does not respond has ended it otherwise.
 */
export async function endKernel(
  outgoing: OutgoingFetch,
  { server, headers, id }: OpenKernel,
): Promise<void> {
  const signal = AbortSignal.timeout(5000)
  await outgoing
    .fetch(`${server.url}/api/kernels/${id}`, { method: 'DELETE', headers, signal })
    .then(leaveBody, () => undefined)
}

interface Execution {
  readonly run: JupyterRun
  readonly reader: KernelReader
  readonly signal: AbortSignal
}

async function execute(
  { server, headers, id }: OpenKernel,
  { run, reader, signal }: Execution,
): Promise<void> {
  const { WebSocket } = await import('ws')
  const session = randomUUID()
  const address = `${server.url.replace(/^http/i, 'ws')}/api/kernels/${id}/channels?session_id=${session}`
  const options = {
    ...way(address, CONNECT_MILLISECONDS),
    headers,
    maxPayload: LARGEST_MESSAGE,
    followRedirects: false,
  }
  const socket = because({ kind: 'code' }, () => new WebSocket(address, options))
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const leave = (): void =>
    reject(signal.reason instanceof Error ? signal.reason : new Error('stopped'))
  if (signal.aborted) leave()
  signal.addEventListener('abort', leave, { once: true })
  socket.on('error', (error) =>
    reject(new Error('The connection to the kernel failed.', { cause: error })),
  )
  socket.on('close', () =>
    reject(new Error('The Jupyter server closed the connection to the kernel.')),
  )
  socket.on('open', () => socket.send(JSON.stringify(toRequest(reader.id, session, run.code))))
  socket.on('message', (data, isBinary) => {
    if (!isBinary && reader.take((data as Buffer).toString())) resolve()
  })
  try {
    await promise
  } finally {
    signal.removeEventListener('abort', leave)
    socket.terminate()
  }
}

const toRequest = (id: string, session: string, code: string) => ({
  header: {
    msg_id: id,
    msg_type: 'execute_request',
    username: 'gateway',
    session,
    date: new Date().toISOString(),
    version: '5.4',
  },
  parent_header: {},
  metadata: {},
  content: {
    code,
    silent: false,
    store_history: true,
    user_expressions: {},
    allow_stdin: false,
    stop_on_error: true,
  },
  buffers: [],
  channel: 'shell',
})
