import { type FormEvent, useEffect, useRef, useState } from 'react'
import { toSentence } from './api-error.ts'

/** State and handlers of an action, for a form or button. */
export interface RunningAction<Input> {
  readonly busy: boolean
  /** Message of the last failure; null once the action is retried. */
  readonly problem: string | null
  readonly run: (input: Input) => Promise<void>
  /** For a form whose action needs no input. */
  readonly handleSubmit: (event: FormEvent) => void
}

/**
 * Runs an action that can fail and keeps its busy state and error. `onDone` is for UI changes that
 * follow: it is not called if the component was unmounted meanwhile, for instance because the
 * dialog was closed.
 */
export function useAction<Input = void, Output = unknown>(
  action: (input: Input) => Promise<Output>,
  onDone?: (output: Output) => void,
): RunningAction<Input> {
  const isHere = useRef(false)
  useEffect(() => {
    isHere.current = true
    return () => {
      isHere.current = false
    }
  }, [])
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const run = async (input: Input): Promise<void> => {
    setBusy(true)
    setProblem(null)
    try {
      const output = await action(input)
      if (isHere.current) onDone?.(output)
    } catch (thrown) {
      setProblem(toSentence(thrown))
    } finally {
      setBusy(false)
    }
  }
  const handleSubmit = (event: FormEvent): void => {
    event.preventDefault()
    // A form in a sheet opened from another form must not submit that form.
    event.stopPropagation()
    void run(undefined as Input)
  }
  return { busy, problem, run, handleSubmit }
}
