import { useSyncExternalStore } from 'react'

/** Readers drop messages that follow each other too closely. */
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
  // Two places in turn, so that the same sentence twice is a change both times.
  spoken = spoken[0] ? ['', next] : [next, '']
  for (const listener of listeners) listener()
  timer = setTimeout(speakNext, SPACING)
}

/** Tells screen readers something, politely and in order. Nothing is shown. */
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
