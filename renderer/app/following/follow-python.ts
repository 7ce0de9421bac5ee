import type { ServerFrame } from '#contract/events.ts'
import { socket } from '../../api/socket.ts'
import type { PythonCalls } from '../../features/code/python-calls.ts'

let loading: Promise<PythonCalls> | null = null
let isUsed = false

/** Must be called when code is run for the first time. */
export const noteCodeUse = (): void => void (isUsed = true)

/** Loads the Python runner with the first call that needs it. */
async function load(): Promise<PythonCalls> {
  noteCodeUse()
  const [{ createPythonCalls }, { askCodeState, interpreter, readFiles }, { keepFile }] =
    await Promise.all([
      import('../../features/code/python-calls.ts'),
      import('../../features/code/code-runtime.ts'),
      import('../../features/code/keep-file.ts'),
      import('../../ui/code-output/strings.ts'),
    ])
  return createPythonCalls({
    interpreter,
    askState: askCodeState,
    readFiles,
    keepFile,
    send: (frame) => socket.send(frame),
  })
}

/** Handles calls of the gateway that ask this window to run Python; returns true for those. */
export function handlePythonFrame(frame: ServerFrame): boolean {
  const isCall = frame.type === 'call' && frame.data.type === 'execute:python'
  if (!isCall && (frame.type !== 'call:cancel' || loading === null)) return false
  loading ??= load()
  loading.then(
    (calls) => calls.handleFrame(frame),
    (thrown: unknown) => {
      loading = null
      if (isCall) socket.send({ type: 'call:error', call_id: frame.call_id, error: String(thrown) })
    },
  )
  return isCall
}

/** Stops running code that no caller waits for any more. */
export const stopPython = (): void => void loading?.then((calls) => calls.stopAll())

/** Stops running code and discards the variables of all chats, on sign-out. */
export function forgetPython(): void {
  stopPython()
  if (isUsed)
    void import('../../features/code/code-runtime.ts').then(({ forgetRuns }) => forgetRuns())
}
