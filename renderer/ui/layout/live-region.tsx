import { useSyncExternalStore } from 'react'

/** Minimum delay in ms: screen readers drop messages that follow each other too closely. */
const SPACING = 400

let spoken: readonly [string, string] = ['', '']
let queue: readonly string[] = []
let timer: ReturnType<typeof setTimeout> | undefined
const listeners = new Set<() => void>()

function speakNext(): void {
  const [next, ...rest] = queue
  if (next === undefined) {
    timer = undefined
    return
  }
  queue = rest
  // Alternates between two elements, so that repeating a sentence is a change too.
  spoken = spoken[0] ? ['', next] : [next, '']
  for (const listener of listeners) listener()
  timer = setTimeout(speakNext, SPACING)
}

/** Announces a text to screen readers, politely and in order. Nothing is shown. */
export function announce(text: string): void {
  if (queue.includes(text)) return
  queue = [...queue, text]
  timer ??= setTimeout(speakNext, 0)
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The one polite live region of the app. */
export function LiveRegion() {
  const [first, second] = useSyncExternalStore(subscribe, () => spoken)
  return (
    <div className="sr-only" data-live-region="">
      <output>{first}</output>
      <output>{second}</output>
    </div>
  )
}
