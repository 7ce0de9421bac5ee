import { type FormEvent, useEffect, useRef, useState } from 'react'
import { toSentence } from './api-error.ts'

/** What a form or button needs of something it sets off. */
export interface RunningAction<Input> {
  readonly busy: boolean
  /** The sentence of the last failure; null once it is tried again. */
  readonly problem: string | null
  readonly run: (input: Input) => Promise<void>
  /** For a form whose action needs no input. */
  readonly handleSubmit: (event: FormEvent) => void
}

/**
 * Runs something that can fail, with its busy state and its problem in place. `onDone` is for what
 * follows on the screen: it is not called when whoever asked has left meanwhile, as by closing a
 * dialog, and may be doing something else by now.
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
    // A form in a sheet that belongs to another form is not a part of it.
    event.stopPropagation()
    void run(undefined as Input)
  }
  return { busy, problem, run, handleSubmit }
}
